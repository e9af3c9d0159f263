/** How large a community is, in rows; `follows` is how many each member follows. */
export interface Size {
  /** They write, like and talk, few of them much and many of them little. */
  members: number
  /** They post now and then. */
  occasional: number
  /** They posted once, before anybody else did. */
  silent: number
  /** They never posted. */
  never: number
  posts: number
  likes: number
  messages: number
  follows: number
}

/** Besides the thousand members there are others, so that a reader can follow 5,000 of each kind. */
const baseSize: Size = {
  members: 1000,
  occasional: 4000,
  silent: 5000,
  never: 500,
  posts: 100_000,
  likes: 1_000_000,
  messages: 300_000,
  follows: 50,
}

/**
 * Each grows by itself, or `all` together. Likes and messages of a hundred times the posts would take 40 GB:
 * they stop at ten times.
 */
const sizes = {
  all: (k: number) => ({
    members: baseSize.members * k,
    posts: baseSize.posts * k,
    likes: baseSize.likes * k,
    messages: baseSize.messages * k,
  }),
  posts: (k: number) => ({
    posts: baseSize.posts * k,
    likes: baseSize.likes * Math.min(k, 10),
    messages: baseSize.messages * Math.min(k, 10),
  }),
  members: (k: number) => ({ members: baseSize.members * k }),
  follows: (k: number) => ({ follows: baseSize.follows * k }),
}
export type Dimension = keyof typeof sizes
export const dimensions = ['posts', 'members', 'follows'] as const satisfies Dimension[]
export const grown = (dimension: Dimension, factor: number): Size => ({
  ...baseSize,
  ...sizes[dimension](factor),
})

export const kinds = ['active', 'silent', 'never'] as const
type Kind = (typeof kinds)[number]
/** A member who follows so many members of one kind, and nobody else. */
export interface Reader {
  id: number
  followed: number
  kind: Kind
}

/** Ids are given in this order: members, occasional, silent, never, readers. */
export const usersOf = ({ members, occasional, silent, never }: Size) => members + occasional + silent + never
const FOLLOWED = [50, 500, 5000]

export function readersOf(size: Size): Reader[] {
  const there = { active: size.members + size.occasional, silent: size.silent, never: size.never }
  const wanted = kinds.flatMap((kind) =>
    FOLLOWED.filter((followed) => followed <= there[kind]).map((followed) => ({ kind, followed })),
  )
  return wanted.map((reader, n) => ({ id: usersOf(size) + 1 + n, ...reader }))
}
