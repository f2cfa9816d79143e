/** The device's random generator; see rng.c. */
const get = (byteLength) => native("xs_random_get").call(undefined, byteLength);
export default Object.freeze({ get }, true);
