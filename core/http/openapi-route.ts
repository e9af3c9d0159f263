import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#core/context.ts'
import type { EndpointRouter } from '#core/http/endpoints.ts'
import type { ServedEndpoints } from '#core/schemas.ts'

type Contracts = Readonly<Record<string, ServedEndpoints>>

/**
 * Serves `GET /api/openapi.json` to everyone who may read the community. The document is made at the first
 * request, because its libraries are slow to load, and again after the name of the community or the
 * endpoints have changed.
 */
export function serveOpenApi(
  app: FastifyInstance,
  { openReaderSession }: EndpointRouter,
  { publicSite }: Pick<AppContext, 'publicSite'>,
  findContracts: () => Contracts,
) {
  let document: { name: string; contracts: Contracts; bytes: Buffer } | undefined
  app.get('/api/openapi.json', { onRequest: openReaderSession }, async (_, reply) => {
    const { openApiDocument: openApi } = await import('#core/http/openapi.ts')
    const { name } = publicSite
    const contracts = findContracts()
    // Makes the document again only if the name of the community or the set of endpoints has changed.
    if (document?.name !== name || document.contracts !== contracts)
      document = { name, contracts, bytes: Buffer.from(JSON.stringify(openApi(name, contracts))) }
    return reply.type('application/json').send(document.bytes)
  })
}
