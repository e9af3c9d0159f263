import packageJson from '#package.json' with { type: 'json' }

/** The version of Engawa. The build writes it into the bundle. */
export const appVersion = packageJson.version
