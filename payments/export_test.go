package payments

// Sign is sign for tests.
var Sign = sign
