; What of a JavaScript or TypeScript source is about tests. `test_model.rs` says what each name means; what a name stands
; for is found out in Rust, since a file may call everything otherwise.

[(arrow_function) (function_expression) (generator_function) (function_declaration) (generator_function_declaration)
  (method_definition)] @function @apart
(return_statement) @leaves
(throw_statement) @fails
