import * as v from 'valibot'
import {
  createNameSchema,
  createOptionalTextSchema,
  createPaginationParameterFields,
  defineEndpoint,
  defineRealtimeChannel,
  idInputSchema,
  isoTimestampSchema,
  noInputSchema,
  outcomeSentenceResponseSchema,
} from '#core/contract.ts'

/** The schema of a person with the fields that everybody may see, visitors included. */
export const personSchema = v.object({
  id: v.number(),
  name: v.string(),
  profile_image: v.nullable(v.string()),
  /**
   * The person's handle, such as `aya2`, which clients show as `@aya2`. Present only if another person has a
   * name that looks the same.
   */
  shared_handle: v.exactOptional(v.string()),
  /**
   * True for a former member, who is the author of messages that a deleted account has left; otherwise
   * absent. A former member has no profile.
   */
  is_former: v.exactOptional(v.boolean()),
})
export type Person = v.InferOutput<typeof personSchema>

/** The fields that distinguish a person from people with the same or a similar name. */
const handleFields = {
  /** The person's short, unique name, such as `aya2`, which clients show as `@aya2`. */
  handle: v.nullable(v.string()),
  /** Whether another person has the same or a similar name. If so, clients must show the handle. */
  shares_name: v.boolean(),
}

/**
 * The schema of a user in a list of users. `bio` is cut after 160 characters, so that a list of a thousand
 * users stays small.
 */
export const listedUserSchema = v.object({
  ...personSchema.entries,
  ...handleFields,
  bio: v.nullable(v.string()),
})
export type ListedUser = v.InferOutput<typeof listedUserSchema>

/** The schema of the profile of a member, with the fields that other members may see. */
export const profileSchema = v.object({
  ...personSchema.entries,
  ...handleFields,
  bio: v.nullable(v.string()),
  created_at: isoTimestampSchema,
  following_count: v.number(),
  followers_count: v.number(),
  follows_me: v.boolean(),
  /** True if the viewer has muted the person; otherwise absent. */
  is_muted: v.exactOptional(v.literal(true)),
})
export type Profile = v.InferOutput<typeof profileSchema>

/**
 * The schema of the current member's own account, with the e-mail address and the rights, which other members
 * do not see.
 */
export const meSchema = v.object({
  ...personSchema.entries,
  ...handleFields,
  bio: v.nullable(v.string()),
  /** The e-mail address of the current member; null for a member without an e-mail address. */
  email: v.nullable(v.string()),
  is_admin: v.boolean(),
  /** True if the account is marked as a child's; otherwise absent. */
  is_child: v.exactOptional(v.literal(true)),
  /**
   * True for a moderator; otherwise absent. Admins have the rights of moderators even if this field is
   * absent.
   */
  is_moderator: v.exactOptional(v.literal(true)),
  /**
   * True for an admin or moderator whose session has no second step although the community requires one;
   * otherwise absent. `is_admin` is false and `is_moderator` is absent until the member sets up one-time
   * codes, or uses a passkey in the session.
   */
  needs_second_step: v.exactOptional(v.literal(true)),
  email_verified_at: v.nullable(isoTimestampSchema),
  created_at: isoTimestampSchema,
})
export type Me = v.InferOutput<typeof meSchema>

export const MAX_BIO_LENGTH = 1000

/**
 * The schema of one parameter of an e-mail verification link. A malformed value becomes an empty text, so
 * that the endpoint responds that the link is wrong, and not with a 422 for this parameter.
 */
const linkPart = v.optional(v.fallback(v.pipe(v.string(), v.maxLength(200)), ''), '')
const Verification = v.object({ id: linkPart, hash: linkPart, expires: linkPart, signature: linkPart })
const UsersInput = v.object({
  q: createOptionalTextSchema(255),
  ...createPaginationParameterFields(1000, 5000),
})

const FollowListInput = v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(100, 500) })

export const peopleEndpoints = {
  token: defineEndpoint('GET /sanctum/csrf-cookie', 'anyone', noInputSchema, v.undefined(), { status: 204 }),
  logOut: defineEndpoint('POST /logout', 'member', noInputSchema, v.undefined(), { status: 204 }),
  me: defineEndpoint('GET /api/user', 'member', noInputSchema, meSchema),
  verify: defineEndpoint(
    'GET /api/email/verify/:id/:hash',
    'anyone',
    Verification,
    v.object({
      message: v.string(),
      /**
       * Present if the link was opened outside a session of the account, and the address is not proven: with
       * which name and when the address was registered.
       */
      registered: v.exactOptional(v.object({ name: v.string(), created_at: isoTimestampSchema })),
    }),
    {
      limits: [{ max: 6, by: 'account' }],
      errorStatuses: [403, 404],
    },
  ),
  /**
   * Takes the address of a verification link away from an account that somebody else has registered with it.
   * Responds with 403 once the address is proven.
   */
  disownEmail: defineEndpoint(
    'POST /api/email/verify/:id/:hash/disown',
    'anyone',
    Verification,
    outcomeSentenceResponseSchema,
    { limits: [{ max: 6, by: 'account' }], errorStatuses: [403, 404] },
  ),
  sendVerification: defineEndpoint(
    'POST /api/email/verification-notification',
    'member',
    noInputSchema,
    outcomeSentenceResponseSchema,
    { limits: [{ max: 6, by: 'account' }] },
  ),
  profile: defineEndpoint('GET /api/profile', 'member', noInputSchema, meSchema),
  saveProfile: defineEndpoint(
    'POST /api/profile',
    'member',
    v.object({
      name: createNameSchema(255),
      bio: v.optional(v.nullable(createOptionalTextSchema(MAX_BIO_LENGTH))),
      handle: createOptionalTextSchema(255),
    }),
    v.object({ message: v.string(), user: meSchema }),
  ),
  saveProfileImage: defineEndpoint(
    'POST /api/profile-image',
    'member',
    noInputSchema,
    v.object({ profile_image: v.string() }),
    {
      files: { image: { max: 1 } },
      limits: [{ max: 60, by: 'account' }],
    },
  ),
  users: defineEndpoint('GET /api/users', 'member', UsersInput, v.array(listedUserSchema), {
    paginated: true,
  }),
  followings: defineEndpoint('GET /api/followings', 'member', noInputSchema, v.array(v.number())),
  followedUsers: defineEndpoint(
    'GET /api/followings/users',
    'member',
    v.object(createPaginationParameterFields(1000, 5000)),
    v.array(listedUserSchema),
    { paginated: true },
  ),
  followers: defineEndpoint(
    'GET /api/users/:id/followers',
    'member',
    FollowListInput,
    v.array(listedUserSchema),
    {
      paginated: true,
      errorStatuses: [404],
    },
  ),
  following: defineEndpoint(
    'GET /api/users/:id/following',
    'member',
    FollowListInput,
    v.array(listedUserSchema),
    {
      paginated: true,
      errorStatuses: [404],
    },
  ),
  follow: defineEndpoint(
    'POST /api/follow/:id',
    'member',
    idInputSchema,
    v.object({ status: v.literal('followed') }),
    {
      errorStatuses: [403, 404],
    },
  ),
  unfollow: defineEndpoint(
    'DELETE /api/unfollow/:id',
    'member',
    idInputSchema,
    v.object({ status: v.literal('unfollowed') }),
  ),
}

/**
 * The presence channel of the members who are online. While more than 500 are online, each member sees only
 * their peers: the people with whom they have a private chat.
 */
export const peopleChannelDefinitions = {
  online: defineRealtimeChannel(
    'presence-here',
    {
      /**
       * The event that announces a new accent colour of the community. Null stands for the standard colour.
       */
      LookChanged: v.object({ accent_colour: v.nullable(v.string()) }),
    },
    { showsOnlyPeersWhenLarge: true },
  ),
}

/**
 * Returns what a member logs in with, as pages show it: the e-mail address, or the handle with an `@` if the
 * member has no e-mail address.
 */
export const formatEmailOrElseHandleOfMember = ({ email, handle }: Pick<Me, 'email' | 'handle'>) =>
  email ?? `@${handle}`

/** Returns the path of the page that shows a member's profile. */
export const toProfilePath = ({ id }: { id: number }) => `/people/${id}`

/**
 * Returns the path of the 96 px version of an avatar, which pages show at up to 48 px. The parameter is the
 * path of the 256 px version.
 */
export const toSmallAvatarPath = (path: string) => path.replace(/-256\.webp$/, '-96.webp')
