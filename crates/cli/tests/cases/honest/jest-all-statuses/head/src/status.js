const reasons = ['Bad Request', 'Unauthorized', 'Payment Required', 'Forbidden', 'Not Found', 'Method Not Allowed'];

exports.reason = (code) => (code === 200 ? 'OK' : reasons[code - 400] ?? `${code}`);
