; What of a Go source is about tests. `test_model.rs` says what each name means.

[(function_declaration) (method_declaration)] @function
(func_literal) @apart
(return_statement) @leaves

; On a testing value: what fails the test, and what skips it.
(call_expression
  function: (selector_expression field: (field_identifier) @_name)
  (#any-of? @_name "Error" "Errorf" "Fatal" "Fatalf" "Fail" "FailNow")) @fails
(call_expression
  function: (selector_expression field: (field_identifier) @_name)
  (#any-of? @_name "Skip" "Skipf" "SkipNow")) @skips
(call_expression function: (identifier) @_name (#eq? @_name "panic")) @outright

; A check of the project's own, by its name: it is observed where it takes a testing value.
(call_expression
  function: [(identifier) @_name (selector_expression field: (field_identifier) @_name)]
  (#match? @_name
    "(?i)^(assert|require|check|expect|must|verify|compare|equal|want|ensure|test|validate|match|same|diff|eq|noerr)|equal"))
  @assertion
