import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { featureModules } from '#app.ts'
import { openApp } from './search-app.ts'

// A server of its own process: `search-server.ts FOLDER URL with|without`, with the feature search or without it.

const [folder, url, search] = process.argv.slice(2) as [string, string, string]
const features = featureModules.filter(
  ({ name, isDemo }) => !isDemo && (search === 'with' || name !== 'search'),
)
const { app } = await openApp({ folder, url: url || null }, features)
await app.listen({ port: 0, host: '127.0.0.1' })
process.send!((app.server.address() as AddressInfo).port)
await once(process, 'disconnect')
process.exit()
