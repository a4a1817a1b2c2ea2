"""One polyhedron, exactly: rows, interior points, facets, generators, canonical form, each answer with evidence."""
