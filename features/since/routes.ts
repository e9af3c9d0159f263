import type { AppContext } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { MAX_SHOWN, type sinceEndpoints } from './contract.ts'
import * as marks from './marks.ts'

export function sinceHandlers(context: AppContext): Handlers<typeof sinceEndpoints> {
  const { visit, away } = marks.visits(context)
  return {
    news: async (context) => {
      // Before the queries: what comes meanwhile is new at the next look.
      const until = isoNow()
      const mark = await visit(context)
      const since = marks.sinceOf(mark)
      const period = { since, unread_since: mark.done_until }
      return { since, until, sections: await context.news(context, period, MAX_SHOWN) }
    },
    away,
    done: (context) => marks.done(context, context.input.until),
  }
}
