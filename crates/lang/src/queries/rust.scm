; What of a Rust source is about tests. `test_model.rs` says what each name means.

(function_item) @function
[(function_item) (closure_expression)] @apart
(return_expression) @leaves

; Macros: what asserts, and what fails whatever happens.
(macro_invocation
  macro: [(identifier) @_name (scoped_identifier name: (identifier) @_name)]
  (#match? @_name "assert")) @outright
(macro_invocation
  macro: [(identifier) @_name (scoped_identifier name: (identifier) @_name)]
  (#any-of? @_name "panic" "todo" "unimplemented" "unreachable")) @fails

; Of these the ones that are observed.
(macro_invocation
  macro: [(identifier) @_name (scoped_identifier name: (identifier) @_name)]
  (#match? @_name "^(debug_)?assert")) @assertion
(call_expression
  function: [
    (identifier) @_name
    (scoped_identifier name: (identifier) @_name)
    (field_expression field: (field_identifier) @_name)]
  (#match? @_name "^assert")) @assertion

; What may fail a test on purpose, by its name, or because it takes what must be there.
(call_expression
  function: [
    (identifier) @_name
    (scoped_identifier name: (identifier) @_name)
    (field_expression field: (field_identifier) @_name)]
  (#match? @_name "(?i)assert|check|verify|expect")) @check
(call_expression
  function: (field_expression field: (field_identifier) @_name)
  (#any-of? @_name "unwrap" "expect" "unwrap_err" "expect_err")) @expects

; What can go wrong at all.
[(call_expression) (macro_invocation) (index_expression) (binary_expression)] @risk
