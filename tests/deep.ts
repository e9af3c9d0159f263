/**
 * Whether the run is the nightly one, `npm run test:deep`: all crossings on both databases, long fuzz, kill
 * tests at every statement.
 */
export const deep = process.env.TEST_DEEP === '1'
