/** The rows of a community. */
export interface Size {
  /** Active members; few of them often. */
  members: number
  /** Members who post now and then. */
  occasional: number
  /** Members who posted once, before all other posts were written. */
  postedOnce: number
  neverPosted: number
  posts: number
  likes: number
  messages: number
  /** How many people each active member follows. */
  follows: number
  /** Unread, of all active members together. */
  notifications: number
}

/** More people than the thousand active members, for the feed of a reader who follows 5,000 of one kind. */
const smallest: Size = {
  members: 1000,
  occasional: 4000,
  postedOnce: 5000,
  neverPosted: 500,
  posts: 100_000,
  likes: 1_000_000,
  messages: 300_000,
  follows: 50,
  notifications: 0,
}

/**
 * The rows that grow with the factor `k`. Likes and messages grow at most ten times with the posts, because at a
 * hundred times they would take 40 GB; the last three begin with fewer rows for the same reason.
 */
const sizes = {
  all: (k: number) => ({
    members: smallest.members * k,
    posts: smallest.posts * k,
    likes: smallest.likes * k,
    messages: smallest.messages * k,
  }),
  posts: (k: number) => ({
    posts: smallest.posts * k,
    likes: smallest.likes * Math.min(k, 10),
    messages: smallest.messages * Math.min(k, 10),
  }),
  members: (k: number) => ({ members: smallest.members * k }),
  follows: (k: number) => ({ follows: smallest.follows * k }),
  likes: (k: number) => ({ likes: 100_000 * k }),
  messages: (k: number) => ({ messages: 100_000 * k }),
  notifications: (k: number) => ({ notifications: 20_000 * k }),
}
export type Dimension = keyof typeof sizes
export const dimensions = (Object.keys(sizes) as Dimension[]).filter((name) => name !== 'all')
export const sized = (dimension: Dimension, factor: number): Size => ({
  ...smallest,
  ...sizes[dimension](factor),
})

/** How much those post whom a reader follows: often, once before all others, or never. */
export const kinds = ['active', 'silent', 'never'] as const
export interface Reader {
  id: number
  followed: number
  kind: (typeof kinds)[number]
}

/** The ids of readers of feeds begin after this one. */
export const beforeReaders = ({ members, occasional, postedOnce, neverPosted }: Size) =>
  members + occasional + postedOnce + neverPosted

export function feedReaders(size: Size): Reader[] {
  const people = { active: size.members + size.occasional, silent: size.postedOnce, never: size.neverPosted }
  return kinds
    .flatMap((kind) => [50, 5000].map((followed) => ({ kind, followed })))
    .filter(({ kind, followed }) => followed <= people[kind])
    .map((reader, n) => ({ id: beforeReaders(size) + 1 + n, ...reader }))
}
