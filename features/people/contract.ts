import * as v from 'valibot'
import {
  ById,
  channel,
  email,
  endpoint,
  MessageResponse,
  name,
  noInput,
  optionalText,
  page,
  secret,
  text,
  time,
} from '#core/contract.ts'

/** The fields of a person that everybody may see, visitors included. */
export const Person = v.object({ id: v.number(), name: v.string(), profile_image: v.nullable(v.string()) })
export type Person = v.InferOutput<typeof Person>

/** Tells people apart who have the same name, or names that look alike. */
const distinct = {
  /** Short and unique; shown as `@aya2`. */
  handle: v.nullable(v.string()),
  /** Whether somebody else has such a name, so that the handle has to be shown. */
  shares_name: v.boolean(),
}

/** `bio` is its beginning: a list of a thousand is not to carry a thousand essays. */
export const Listed = v.object({ ...Person.entries, ...distinct, bio: v.nullable(v.string()) })
export type Listed = v.InferOutput<typeof Listed>

/** The fields of a person that other members may see. */
export const Profile = v.object({
  ...Person.entries,
  ...distinct,
  bio: v.nullable(v.string()),
  created_at: time,
  following_count: v.number(),
  followers_count: v.number(),
  follows_me: v.boolean(),
})
export type Profile = v.InferOutput<typeof Profile>

/** The member's own account, as only they see it. */
export const Me = v.object({
  ...Person.entries,
  ...distinct,
  bio: v.nullable(v.string()),
  email: v.string(),
  is_admin: v.boolean(),
  email_verified_at: v.nullable(time),
  created_at: time,
})
export type Me = v.InferOutput<typeof Me>

export const BIO_LENGTH = 1000

const Registration = v.pipe(
  v.object({
    name: name(255),
    email,
    password: secret(8),
    password_confirmation: v.optional(v.pipe(v.string('string'), v.maxLength(2000, 'confirmed')), ''),
    setup_code: optionalText(255),
  }),
  v.forward(
    v.partialCheck(
      [['password'], ['password_confirmation']],
      (given) => given.password === given.password_confirmation,
      'confirmed',
    ),
    ['password'],
  ),
)
/** A part of a link. A damaged one is empty, which makes the link wrong, and not a field of it. */
const linkPart = v.optional(v.fallback(v.pipe(v.string(), v.maxLength(200)), ''), '')
const Verification = v.object({ id: linkPart, hash: linkPart, expires: linkPart, signature: linkPart })
const Found = v.object({ q: optionalText(255), ...page(1000, 5000) })

const Follows = v.object({ ...ById.entries, ...page(100, 500) })

export const people = {
  token: endpoint('GET /sanctum/csrf-cookie', 'anyone', noInput, v.undefined(), { status: 204 }),
  register: endpoint(
    'POST /api/register',
    'anyone',
    Registration,
    v.object({
      message: v.string(),
      user: v.object({ id: v.number(), name: v.string(), email: v.string(), created_at: time }),
    }),
    { limits: [{ most: 60, by: 'address' }] },
  ),
  logIn: endpoint(
    'POST /login',
    'anyone',
    v.object({ email: text(255), password: secret(1) }),
    v.undefined(),
    {
      status: 204,
      limits: [
        { most: 60, by: 'address' },
        { most: 10, by: { field: 'email' } },
      ],
      refuses: [403],
    },
  ),
  logOut: endpoint('POST /logout', 'member', noInput, v.undefined(), { status: 204 }),
  me: endpoint('GET /api/user', 'member', noInput, Me),
  verify: endpoint('GET /api/email/verify/:id/:hash', 'anyone', Verification, MessageResponse, {
    limits: [{ most: 6, by: 'address' }],
    refuses: [403, 404],
  }),
  sendVerification: endpoint(
    'POST /api/email/verification-notification',
    'member',
    noInput,
    MessageResponse,
    { limits: [{ most: 6, by: 'account' }] },
  ),
  profile: endpoint('GET /api/profile', 'member', noInput, Me),
  saveProfile: endpoint(
    'POST /api/profile',
    'member',
    v.object({
      name: name(255),
      bio: v.optional(v.nullable(optionalText(BIO_LENGTH))),
      handle: optionalText(255),
    }),
    v.object({ message: v.string(), user: Me }),
  ),
  saveProfileImage: endpoint(
    'POST /api/profile-image',
    'member',
    noInput,
    v.object({ profile_image: v.string() }),
    {
      files: { image: { most: 1 } },
      limits: [{ most: 60, by: 'account' }],
    },
  ),
  users: endpoint('GET /api/users', 'member', Found, v.array(Listed), { paged: true }),
  followings: endpoint('GET /api/followings', 'member', noInput, v.array(v.number())),
  followedUsers: endpoint(
    'GET /api/followings/users',
    'member',
    v.object(page(1000, 5000)),
    v.array(Listed),
    { paged: true },
  ),
  followers: endpoint('GET /api/users/:id/followers', 'member', Follows, v.array(Listed), {
    paged: true,
    refuses: [404],
  }),
  following: endpoint('GET /api/users/:id/following', 'member', Follows, v.array(Listed), {
    paged: true,
    refuses: [404],
  }),
  follow: endpoint('POST /api/follow/:id', 'member', ById, v.object({ status: v.literal('followed') }), {
    refuses: [404],
  }),
  unfollow: endpoint(
    'DELETE /api/unfollow/:id',
    'member',
    ById,
    v.object({ status: v.literal('unfollowed') }),
  ),
}

/** Apart from `people`, so that only the set-up page carries it. */
export const setup = {
  /** Whether a set-up code is good. */
  state: endpoint(
    'GET /api/setup',
    'anyone',
    v.object({ code: optionalText(255) }),
    v.object({ state: v.picklist(['open', 'wrong_code', 'done']) }),
    { limits: [{ most: 60, by: 'address' }] },
  ),
}

/** The members who are online now. */
export const channels = { here: channel('presence-here', {}) }

/** A member's own page. */
export const profilePath = ({ id }: { id: number }) => `/people/${id}`

/** The small version of a profile image, for faces up to 48 px; the path itself is for those up to 128 px. */
export const smallImage = (path: string) => path.replace(/-256\.webp$/, '-96.webp')
