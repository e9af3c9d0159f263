import { exitWithError, loadBuiltFrontend, startApp } from '#main.ts'

try {
  await startApp({ frontend: loadBuiltFrontend() })
} catch (error) {
  exitWithError(error)
}
