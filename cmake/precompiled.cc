// The precompiled headers need a source to be the headers of.
