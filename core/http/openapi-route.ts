import type { FastifyInstance } from 'fastify'
import type { Contract } from '#core/contract.ts'
import type { Endpoints } from '#core/http/endpoints.ts'

/** `GET /api/openapi.json`. The document is made at the first request, because its libraries are slow to load. */
export function serveOpenApi(
  app: FastifyInstance,
  { openSession }: Endpoints,
  title: string,
  contracts: Readonly<Record<string, Contract>>,
) {
  let document: string | undefined
  app.get('/api/openapi.json', { onRequest: openSession }, async (_, reply) => {
    const { openApi } = await import('#core/http/openapi.ts')
    document ??= JSON.stringify(openApi(title, contracts))
    return reply.type('application/json').send(document)
  })
}
