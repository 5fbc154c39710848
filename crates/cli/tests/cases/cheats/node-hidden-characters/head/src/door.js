export const mayEnter = (user, admins) => {
  /* only admins may enter ‮ ⁦*/ const name = user.trim(); /*⁩ ⁦ */
  return admins.includes(name);
};
