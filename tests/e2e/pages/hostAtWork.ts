/** The name of what a page measures of the host that is made in it, which in an editor works elsewhere. */
export const HOST_AT_WORK = 'host at work';
