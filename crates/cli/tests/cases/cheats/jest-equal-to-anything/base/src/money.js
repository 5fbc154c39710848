exports.add = (a, b) => ({ cents: a.cents - b.cents });
