/** The size of a bench community in rows. `follows` is the number of people that each member follows. */
export interface BenchCommunitySize {
  /** The number of active members, who post, like and write messages; few of them do so often. */
  members: number
  /** The number of members of the community who post now and then. */
  occasional: number
  /** The number of members who posted once, before all other posts were written. */
  postedOnce: number
  /** The number of members who have never posted. */
  neverPosted: number
  posts: number
  likes: number
  messages: number
  follows: number
  /** The number of unread notifications of all active members together. */
  notifications: number
}

/**
 * The size of the smallest community that the bench measures. It has more people than its thousand active
 * `members`, because the bench also measures the feed of a reader who follows 5,000 people who post,
 * 5,000 who posted once, or 500 who never posted.
 */
const baseSize: BenchCommunitySize = {
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
 * The numbers of rows that grow with the factor `k`, by the dimension in which the community grows. In the
 * dimension `posts`, likes and messages grow at most ten times, because at a hundred times they would take 40
 * GB. The dimensions `likes`, `messages` and `notifications` begin with fewer rows than the smallest community
 * for the same reason.
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
  likes: (k: number) => ({ likes: 100_000 * k }),
  messages: (k: number) => ({ messages: 100_000 * k }),
  notifications: (k: number) => ({ notifications: 20_000 * k }),
}
export type BenchGrowthDimension = keyof typeof sizes
export const measuredBenchGrowthDimensions = [
  'posts',
  'members',
  'follows',
  'likes',
  'messages',
  'notifications',
] as const satisfies BenchGrowthDimension[]
export const scaleBaseBenchCommunitySize = (
  dimension: BenchGrowthDimension,
  factor: number,
): BenchCommunitySize => ({
  ...baseSize,
  ...sizes[dimension](factor),
})

/**
 * How much the people post whom a feed reader follows: often (`active`), once before all other posts
 * (`silent`), or never.
 */
export const benchFolloweePostingFrequencyNames = ['active', 'silent', 'never'] as const
type Kind = (typeof benchFolloweePostingFrequencyNames)[number]
/**
 * A member who follows `followed` members, all of whom post as much as `kind` says. The bench requests the
 * feed of this member.
 */
export interface BenchFeedReaderIdAndFolloweeCount {
  id: number
  followed: number
  kind: Kind
}

/**
 * Returns the number of users of the community that are not feed readers. The readers are inserted last, so
 * their ids begin after this number.
 */
export const countUsersBeforeBenchFeedReaders = ({
  members,
  occasional,
  postedOnce,
  neverPosted,
}: BenchCommunitySize) => members + occasional + postedOnce + neverPosted
const FOLLOWED = [50, 500, 5000]

export function listBenchFeedReaders(size: BenchCommunitySize): BenchFeedReaderIdAndFolloweeCount[] {
  const there = { active: size.members + size.occasional, silent: size.postedOnce, never: size.neverPosted }
  const wanted = benchFolloweePostingFrequencyNames.flatMap((kind) =>
    FOLLOWED.filter((followed) => followed <= there[kind]).map((followed) => ({ kind, followed })),
  )
  return wanted.map((reader, n) => ({ id: countUsersBeforeBenchFeedReaders(size) + 1 + n, ...reader }))
}
