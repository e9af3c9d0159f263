import { modules } from '#app.ts'
import { explain, site, start } from '#main.ts'

// The server as bin/serve.ts starts it, without the features that WITHOUT names: `WITHOUT=chat,shop`.
const without = process.env.WITHOUT?.split(',') ?? []

try {
  await start({ site: site(), features: modules.filter(({ name }) => !without.includes(name)) })
} catch (error) {
  explain(error)
}
