"""What people and programs read: tables, JSON objects, progress."""
