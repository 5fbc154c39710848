; What of a Python source is about tests. `test_model.rs` says what each name means.

(function_definition) @function
[(function_definition) (lambda)] @apart
(return_statement) @leaves
(raise_statement) @fails
(assert_statement) @assertion

; A call of something that is named as a check, whoever defines it: it is observed.
(call
  function: [(identifier) (call) (subscript) (parenthesized_expression)] @_name
  arguments: (argument_list)
  (#match? @_name "^_*[aA][sS][sS][eE][rR][tT]")) @assertion
(call
  function: (attribute attribute: (identifier) @_name)
  arguments: (argument_list)
  (#match? @_name "^_*[aA][sS][sS][eE][rR][tT]")) @assertion

; Contexts that expect something of what is done in them, and those in which something must fail.
(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)]
  (#any-of? @_name
    "raises" "warns" "deprecated_call" "assertRaises" "assertRaisesRegex" "assertWarns" "assertWarnsRegex" "assertLogs"
    "assertNoLogs" "RaisesGroup")) @context
(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)]
  (#any-of? @_name "raises" "assertRaises" "assertRaisesRegex" "RaisesGroup")) @failing

; What may fail a test on purpose, by its name: a test that calls it is not hollow for that.
(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)]
  (#any-of? @_name "raises" "warns" "deprecated_call" "fail")) @expects
(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)]
  (#match? @_name "(?i)assert|check|verify|expect")) @check
(call
  function: (attribute object: (identifier) @_self attribute: (identifier) @_name)
  (#eq? @_self "self")
  (#match? @_name "^assert")) @outright
