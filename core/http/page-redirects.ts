import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '#core/context.ts'
import type { FeatureModule } from '#core/feature/module.ts'
import type { ServerPage } from '#core/feature/pages.ts'

/**
 * Creates a function that returns the path to which a request for a page is redirected, or null. The path
 * is that of a page that the member has to see first, such as a message of the moderators: see
 * `requiredPage` of features. If several features name a page, only the page of the last one in `features`
 * counts, until it is not required any more: otherwise two pages would redirect to each other. Pages for
 * visitors, such as the log-out page, never redirect.
 */
export function createRedirectFinder(context: AppContext, features: readonly FeatureModule[]) {
  const finders = features
    .toReversed()
    .flatMap(({ requiredPage }) => (requiredPage ? [requiredPage(context)] : []))
  return async ({ session }: FastifyRequest, page: ServerPage | null) => {
    if (!session?.me || !page || page.isForVisitors) return null
    for (const find of finders) {
      const path = await find(session.me.id)
      if (path !== null) return path === page.path ? null : path
    }
    return null
  }
}

/** The maximum length, in characters, of the address to which the log-in page leads back. */
const MAX_RETURN_ADDRESS = 2000

/**
 * Redirects a visitor who is not logged in to the log-in page. The response is the same for each address,
 * whether it exists or not, so that it says nothing about the community.
 */
export function redirectToLogIn({ url }: FastifyRequest, reply: FastifyReply) {
  const next = url.length <= MAX_RETURN_ADDRESS ? `?next=${encodeURIComponent(url)}` : ''
  return reply.header('x-robots-tag', 'noindex').redirect(`/login${next}`, 302)
}
