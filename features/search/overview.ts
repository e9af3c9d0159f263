import * as near from './near.ts'
import { partsOf } from './operators-contract.ts'
import type { Input, Plan, SearchContext } from './plan.ts'
import * as plans from './plan.ts'
import * as read from './read.ts'
import type { HitKind, Overview } from './schemas.ts'
import * as upkeep from './upkeep.ts'

const FEW = 4
/** Without words there is no list to go on with. */
const MORE = 12
const order: readonly HitKind[] = ['person', 'group', 'message', 'post', 'reply', 'file']

/** The first hits of each kind; without any, what would help. */
export async function overview(viewer: SearchContext, input: Input): Promise<Overview> {
  const plan = await plans.make(viewer, input, true)
  const hasWords = plans.wanted(plan.terms).length > 0
  const limit = hasWords ? FEW : MORE
  const sections = await Promise.all(
    order.map(async (kind) => {
      const { body, next } = await read.page(viewer, plan, kind, {}, limit)
      // The files have a section of their own.
      const hits = body.filter(({ part }) => part !== 'file')
      return { kind, hits, has_more: hasWords && next !== null }
    }),
  )
  const shown = sections.filter(({ hits }) => hits.length > 0)
  const { share } = await upkeep.progress(viewer.db)
  const help =
    shown.length || !hasWords ? { suggestion: null, filters: [] } : await findHelp(viewer, input, plan)
  return { sections: shown, ...help, indexed: share }
}

async function findHelp(viewer: SearchContext, input: Input, plan: Plan) {
  const filters = await loosened(viewer, input, plan)
  const suggested = filters.length ? null : await suggestion(viewer, input, plan)
  return {
    suggestion: suggested,
    filters: suggested ? [] : [...filters, ...(await shortened(viewer, input, plan, filters))],
  }
}

type Loosened = Overview['filters'][number]

/** Filters and words tried one by one. */
const MAX_TRIED = 4
/** Words of which near spellings are looked for. */
const MAX_SPELLED = 3

const without = (q: string, parts: readonly string[]) =>
  partsOf(q)
    .flatMap(({ typed }) => (parts.includes(typed) ? [] : typed))
    .join(' ')

async function tried(viewer: SearchContext, input: Input, parts: readonly string[]) {
  const q = without(input.q, parts)
  return (await hasHits(viewer, { ...input, q })) ? [{ text: parts.join(' '), without: q }] : []
}

async function loosened(viewer: SearchContext, input: Input, { filters, terms }: Plan) {
  const excluded = terms.flatMap(({ isExcluded, typed }) => (isExcluded ? typed : []))
  const found: Loosened[] = []
  for (const part of [...filters, ...excluded].slice(0, MAX_TRIED))
    found.push(...(await tried(viewer, input, [part])))
  return found
}

/** Without all filters, if no single one helps, or without one of several words. */
async function shortened(viewer: SearchContext, input: Input, plan: Plan, found: readonly Loosened[]) {
  if (found.length) return []
  if (plan.filters.length > 1) {
    const all = await tried(viewer, input, plan.filters)
    if (all.length) return all
  }
  const typed = [...new Set(plans.wanted(plan.terms).map((term) => term.typed))]
  const helpful: Loosened[] = []
  if (typed.length > 1)
    for (const word of typed.slice(0, MAX_TRIED)) helpful.push(...(await tried(viewer, input, [word])))
  return helpful
}

/** The query with a near spelling of one of its words. */
async function suggestion(viewer: SearchContext, input: Input, plan: Plan) {
  for (const term of plans.wanted(plan.terms).slice(0, MAX_SPELLED)) {
    const word = await near.spelling(viewer, plan, term)
    if (!word) continue
    const q = partsOf(input.q)
      .map(({ typed }) => (typed === term.typed ? word : typed))
      .join(' ')
    if (await hasHits(viewer, { ...input, q })) return q
  }
  return null
}

async function hasHits(viewer: SearchContext, input: Input) {
  const { body } = await read.list(viewer, { ...input, limit: 1 })
  return body.length > 0
}
