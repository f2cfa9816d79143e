/** Orders of builds that take more of them (test/xs-linux): none. */
export const MORE_ORDERS = Object.freeze({}, true);
