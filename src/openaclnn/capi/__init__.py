"""The C interface: headers, the C library, the toolkit folder, and the module `acl`.

`entries` writes the operators' C code from their specs, `build` compiles the library, `toolkit`
lays out the folder that programs take for the vendor's, `program` compiles programs for
`openaclnn run`, and `bridge` is what the library calls once it is inside Python."""
