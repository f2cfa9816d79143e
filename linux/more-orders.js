/** Placeholder for extra commands of other builds (test/xs-linux): none. */
export const MORE_ORDERS = Object.freeze({}, true);
