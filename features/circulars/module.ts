import { defineFeature } from '#core/feature/module.ts'
import { circularEndpoints } from './contract.ts'
import { createHandlers } from './routes.ts'
import { circularSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'

export const circularsModule = defineFeature({
  name: 'circulars',
  pages: serverPages,
  contracts: { circulars: [circularEndpoints, circularSchemas] },
  routes: (context) => ({ circulars: createHandlers(context) }),
})
