import * as near from './near.ts'
import type { Input, Plan, SearchContext } from './plan.ts'
import * as plans from './plan.ts'
import * as read from './read.ts'
import type { HitKind, Overview } from './schemas.ts'
import * as upkeep from './upkeep.ts'

const FEW = 4
const order: readonly HitKind[] = ['person', 'group', 'message', 'post', 'reply', 'file']

/** The first hits of each kind; without any, what would help. */
export async function overview(viewer: SearchContext, input: Input): Promise<Overview> {
  const plan = await plans.make(viewer, input)
  const sections = await Promise.all(
    order.map(async (kind) => {
      const { body: hits, next } = await read.page(viewer, plan, kind, {}, FEW)
      return { kind, hits, has_more: next !== null }
    }),
  )
  const shown = sections.filter(({ hits }) => hits.length > 0)
  const { share } = await upkeep.progress(viewer.db)
  const help = shown.length ? { suggestion: null, filters: [] } : await findHelp(viewer, input, plan)
  return { sections: shown, ...help, indexed: share }
}

async function findHelp(viewer: SearchContext, input: Input, plan: Plan) {
  const filters = await loosened(viewer, input, plan)
  return { suggestion: filters.length ? null : await suggestion(viewer, input, plan), filters }
}

/** Filters and excluded words tried one by one. */
const MAX_TRIED = 4

async function loosened(viewer: SearchContext, input: Input, plan: Plan) {
  const excluded = plan.terms.flatMap(({ isExcluded, typed }) => (isExcluded ? typed : []))
  const found: { text: string; without: string }[] = []
  for (const text of [...plan.filters, ...excluded].slice(0, MAX_TRIED)) {
    const without = input.q.normalize('NFKC').replace(text, ' ').replace(/\s+/g, ' ').trim()
    if (await hasHits(viewer, { ...input, q: without })) found.push({ text, without })
  }
  return found
}

/** The query with a near spelling of one of its words. */
async function suggestion(viewer: SearchContext, input: Input, plan: Plan) {
  for (const term of plans.wanted(plan.terms)) {
    const word = await near.spelling(viewer, plan, term)
    if (!word) continue
    const q = input.q.normalize('NFKC').replace(term.typed, word)
    if (await hasHits(viewer, { ...input, q })) return q
  }
  return null
}

async function hasHits(viewer: SearchContext, input: Input) {
  const { body } = await read.list(viewer, { ...input, limit: 1 })
  return body.length > 0
}
