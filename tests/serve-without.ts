import { featureModules } from '#app.ts'
import { exitWithError, loadBuiltFrontend, startApp } from '#main.ts'

// Starts the server as bin/serve.ts does, but without the features that the environment variable
// WITHOUT_FEATURES names, such as `admin,shop`.
const without = process.env.WITHOUT_FEATURES?.split(',') ?? []

try {
  await startApp({
    frontend: loadBuiltFrontend(),
    features: featureModules.filter(({ name }) => !without.includes(name)),
  })
} catch (error) {
  exitWithError(error)
}
