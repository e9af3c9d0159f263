import * as v from 'valibot'
import {
  channel,
  endpoint,
  idInputSchema,
  isoTime,
  noInputSchema,
  nullableReading,
  optionalText,
  outcomeSchema,
  pageFields,
  shortName,
} from '#core/schemas.ts'
import { MAX_BIO_LENGTH, MAX_HANDLES } from './contract.ts'
import { MAX_HANDLE_LENGTH } from './text-parts-contract.ts'

/** Everybody may see these fields, visitors included. */
export const personSchema = v.object({
  id: v.number(),
  name: v.string(),
  profile_image: v.nullable(v.string()),
  /** Clients show it as `@aya2`. Present only if another person has a name that looks the same. */
  shared_handle: v.exactOptional(v.string()),
  /** The author of messages that a deleted account has left, without a profile; otherwise absent. */
  is_former: v.exactOptional(v.boolean()),
})
export type Person = v.InferOutput<typeof personSchema>

const MAX_NAME_LENGTH = 255

/** The viewer has asked for contact, and a guardian decides. True or absent. */
const waits = v.exactOptional(v.literal(true))

const profileFields = {
  /** How the name is read: hiragana, or Latin letters. Absent if the person has not said it. */
  reading: v.exactOptional(v.string()),
  /** Short and unique, such as `aya2`, which clients show as `@aya2`. */
  handle: v.nullable(v.string()),
  /** Whether another person has the same or a similar name. If so, clients must show the handle. */
  shares_name: v.boolean(),
}

/** `bio` is cut after 160 characters, so that a list of a thousand users stays small. */
export const listedUserSchema = v.object({
  ...personSchema.entries,
  ...profileFields,
  waits,
  bio: v.nullable(v.string()),
})
export type ListedUser = v.InferOutput<typeof listedUserSchema>

export const profileSchema = v.object({
  ...personSchema.entries,
  ...profileFields,
  bio: v.nullable(v.string()),
  created_at: isoTime,
  following_count: v.number(),
  followers_count: v.number(),
  follows_me: v.boolean(),
  /** True or absent. */
  is_muted: v.exactOptional(v.literal(true)),
  waits,
})
export type Profile = v.InferOutput<typeof profileSchema>

/** With the e-mail address and the rights, which other members do not see. */
export const meSchema = v.object({
  ...personSchema.entries,
  ...profileFields,
  bio: v.nullable(v.string()),
  email: v.nullable(v.string()),
  is_admin: v.boolean(),
  /** True or absent. */
  is_child: v.exactOptional(v.literal(true)),
  /** The member is the guardian of a child. */
  is_guardian: v.exactOptional(v.literal(true)),
  /** Something about a child is new to its guardian, until `POST /api/guardian/seen`. True or absent. */
  guardian_news: v.exactOptional(v.literal(true)),
  /** True or absent. Admins have the rights of moderators even without it. */
  is_moderator: v.exactOptional(v.literal(true)),
  /** May tell everybody of a post and ask who has read it, as admins may. True or absent. */
  is_announcer: v.exactOptional(v.literal(true)),
  /**
   * True for an admin or moderator whose session has no second step although the community requires one;
   * otherwise absent. Until then, `is_admin` is false and `is_moderator` absent.
   */
  needs_second_step: v.exactOptional(v.literal(true)),
  email_verified_at: v.nullable(isoTime),
  created_at: isoTime,
})
export type Me = v.InferOutput<typeof meSchema>

/** Malformed becomes empty, so that the response says that the link is wrong, and is no 422. */
const linkPart = v.optional(v.fallback(v.pipe(v.string(), v.maxLength(200)), ''), '')
const Verification = v.object({ id: linkPart, hash: linkPart, expires: linkPart, signature: linkPart })
/** `q` is a part of the name. */
export const searchFields = (defaultLimit: number, maxLimit: number) => ({
  q: optionalText(255),
  ...pageFields(defaultLimit, maxLimit),
})

const UsersInput = v.object({
  ...searchFields(1000, 5000),
  /** `name`: by the reading or, without one, the name, in the order of 五十音. */
  order: v.optional(v.picklist(['id', 'name'], 'invalid'), 'id'),
  /** The reading or, without one, the name of `after`: the next page begins there also if they are gone. */
  after_name: optionalText(255),
})

const FollowListInput = v.object({ ...idInputSchema.entries, ...pageFields(100, 500) })

export const peopleSchemas = {
  token: endpoint('anyone', noInputSchema, v.undefined(), { status: 204 }),
  logOut: endpoint('member', noInputSchema, v.undefined(), { status: 204 }),
  me: endpoint('member', noInputSchema, meSchema),
  verify: endpoint(
    'anyone',
    Verification,
    v.object({
      message: v.string(),
      /** Present if the link was opened outside a session of the account, and the address is not proven. */
      registered: v.exactOptional(v.object({ name: v.string(), created_at: isoTime })),
    }),
    {
      limits: [{ max: 6, by: 'account' }],
      errorStatuses: [403, 404],
    },
  ),
  /** Takes the address from an account that somebody else has registered with it. 403 once it is proven. */
  disownEmail: endpoint('anyone', Verification, outcomeSchema, {
    limits: [{ max: 6, by: 'account' }],
    errorStatuses: [403, 404],
  }),
  sendVerification: endpoint('member', noInputSchema, outcomeSchema, { limits: [{ max: 6, by: 'account' }] }),
  profile: endpoint('member', noInputSchema, meSchema),
  saveProfile: endpoint(
    'member',
    v.object({
      name: shortName(MAX_NAME_LENGTH),
      reading: v.optional(nullableReading(MAX_NAME_LENGTH)),
      bio: v.optional(v.nullable(optionalText(MAX_BIO_LENGTH))),
      handle: optionalText(255),
    }),
    v.object({ message: v.string(), user: meSchema }),
  ),
  saveProfileImage: endpoint('member', noInputSchema, v.object({ profile_image: v.string() }), {
    files: { image: { max: 1 } },
    limits: [{ max: 60, by: 'account' }],
  }),
  users: endpoint('member', UsersInput, v.array(listedUserSchema), {
    paginated: true,
  }),
  followings: endpoint('member', noInputSchema, v.array(v.number())),
  followedUsers: endpoint('member', v.object(pageFields(1000, 5000)), v.array(listedUserSchema), {
    paginated: true,
  }),
  followers: endpoint('member', FollowListInput, v.array(listedUserSchema), {
    paginated: true,
    errorStatuses: [404],
  }),
  following: endpoint('member', FollowListInput, v.array(listedUserSchema), {
    paginated: true,
    errorStatuses: [404],
  }),
  follow: endpoint('member', idInputSchema, v.object({ status: v.literal('followed') }), {
    errorStatuses: [403, 404],
  }),
  unfollow: endpoint('member', idInputSchema, v.object({ status: v.literal('unfollowed') })),
}

/** While more than 500 are online, each member sees only the people with whom they have a private chat. */
export const peopleChannelSchemas = {
  online: channel(
    {
      /** Null stands for the standard colour. */
      LookChanged: v.object({ accent_colour: v.nullable(v.string()) }),
    },
    { showsOnlyPeersWhenLarge: true },
  ),
}

export const blockedSchema = v.object({ ...personSchema.entries, blocked_at: isoTime })
export type BlockedPerson = v.InferOutput<typeof blockedSchema>

export const blockSchemas = {
  list: endpoint('member', v.object(pageFields(100, 500)), v.array(blockedSchema), { paginated: true }),
  /**
   * Also deletes their follows of each other and their likes of each other's posts and replies. Does nothing
   * if the person is blocked already.
   */
  block: endpoint('member', idInputSchema, v.object({ status: v.literal('blocked') }), {
    errorStatuses: [404],
    limits: [{ max: 60, by: 'account' }],
  }),
  /** Does nothing if the person is not blocked or does not exist. */
  unblock: endpoint('member', idInputSchema, v.object({ status: v.literal('unblocked') }), {
    limits: [{ max: 60, by: 'account' }],
  }),
}

export const handleSchemas = {
  /** Separated by commas. Leaves out unknown handles and those of people whom the caller may not see. */
  find: endpoint(
    'member',
    v.object({ handles: optionalText(MAX_HANDLES * (MAX_HANDLE_LENGTH + 1)) }),
    v.array(v.object({ handle: v.string(), id: v.number() })),
    { limits: [{ max: 240, by: 'account' }] },
  ),
}

export const mutedSchema = v.object({ ...personSchema.entries, muted_at: isoTime })
export type MutedPerson = v.InferOutput<typeof mutedSchema>

export const muteSchemas = {
  list: endpoint('member', v.object(pageFields(100, 500)), v.array(mutedSchema), { paginated: true }),
  /**
   * Leaves the person out of the lists of posts of several authors, of replies and of notifications, of
   * unread counts and push messages; groups show a note in place of their messages. Nobody else notices.
   */
  mute: endpoint('member', idInputSchema, v.object({ status: v.literal('muted') }), {
    errorStatuses: [404],
    limits: [{ max: 60, by: 'account' }],
  }),
  /** Does nothing if the person is not muted or does not exist. */
  unmute: endpoint('member', idInputSchema, v.object({ status: v.literal('unmuted') }), {
    limits: [{ max: 60, by: 'account' }],
  }),
}

export const newMemberSchemas = {
  /** The limits for new members end for this one. A repeated request changes nothing. */
  know: endpoint('moderator', idInputSchema, v.object({ status: v.literal('known') }), {
    errorStatuses: [404],
    needsConfirmation: true,
  }),
}
