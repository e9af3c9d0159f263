import packageJson from '#package.json' with { type: 'json' }

/** The version of Engawa. The build copies package.json into lib/. */
export const appVersion = packageJson.version
