; What of a Java source is about tests. `test_model.rs` says what each name means.

(method_declaration) @function
[(lambda_expression) (class_body)] @apart
(return_statement) @leaves
(throw_statement) @fails
(assert_statement) @outright
[(annotation) (marker_annotation)] @mark

; A check by its name, whoever defines it: it is observed where it stands first, and wherever it stands a test that calls it
; is not hollow for that.
(method_invocation
  name: (identifier) @_name
  (#match? @_name "(?i)^(assert|verify|check|expect|andexpect|should|fail$)")) @assertion
(method_invocation
  name: (identifier) @_name
  (#match? @_name "^fail$|(?i:assert|check|verify|expect|should)")) @check
