import type { FastifyInstance } from 'fastify'
import type { FeatureContract } from '#core/contract.ts'
import type { EndpointRouter } from '#core/http/endpoints.ts'

/**
 * Serves `GET /api/openapi.json` to everyone who may read the community. The document is made at the first
 * request, because its libraries are slow to load.
 */
export function serveOpenApi(
  app: FastifyInstance,
  { openReaderSession }: EndpointRouter,
  title: string,
  contracts: Readonly<Record<string, FeatureContract>>,
) {
  let document: Buffer | undefined
  app.get('/api/openapi.json', { onRequest: openReaderSession }, async (_, reply) => {
    const { createOpenApiDocument: openApi } = await import('#core/http/openapi.ts')
    // The document is a buffer, because the compression of buffers is cached.
    document ??= Buffer.from(JSON.stringify(openApi(title, contracts)))
    return reply.type('application/json').send(document)
  })
}
