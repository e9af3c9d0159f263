import { type Channels, endpoints } from '#core/contract.ts'
import type {
  blockSchemas,
  handleSchemas,
  Me,
  muteSchemas,
  newMemberSchemas,
  peopleSchemas,
} from './schemas.ts'

export type { BlockedPerson, ListedUser, Me, MutedPerson, Person, Profile } from './schemas.ts'

export const MAX_BIO_LENGTH = 1000

export const peopleEndpoints = endpoints<typeof peopleSchemas>({
  token: 'GET /sanctum/csrf-cookie',
  logOut: 'POST /logout',
  me: 'GET /api/user',
  verify: 'GET /api/email/verify/:id/:hash',
  disownEmail: 'POST /api/email/verify/:id/:hash/disown',
  sendVerification: 'POST /api/email/verification-notification',
  profile: 'GET /api/profile',
  saveProfile: 'POST /api/profile',
  saveProfileImage: 'POST /api/profile-image',
  users: 'GET /api/users',
  followings: 'GET /api/followings',
  followedUsers: 'GET /api/followings/users',
  followers: 'GET /api/users/:id/followers',
  following: 'GET /api/users/:id/following',
  follow: 'POST /api/follow/:id',
  unfollow: 'DELETE /api/unfollow/:id',
})

export const peopleChannels = {
  online: { name: 'presence-here' },
} as const satisfies Channels

/** As pages show it: the e-mail address, or the handle with an `@`. */
export const nameToLogIn = ({ email, handle }: Pick<Me, 'email' | 'handle'>) => email ?? `@${handle}`

export const profilePath = ({ id }: { id: number }) => `/people/${id}`

/** 96 px, for up to 48 px on a page. `path` is that of the 256 px version. */
export const smallAvatarPath = (path: string) => path.replace(/-256\.webp$/, '-96.webp')

export const MAX_BLOCKED = 1000

export const blockEndpoints = endpoints<typeof blockSchemas>({
  list: 'GET /api/account/blocks',
  block: 'POST /api/users/:id/block',
  unblock: 'DELETE /api/users/:id/block',
})

export const MAX_HANDLES = 100

export const handleEndpoints = endpoints<typeof handleSchemas>({
  find: 'GET /api/handles',
})

export const MAX_MUTED = 1000

export const muteEndpoints = endpoints<typeof muteSchemas>({
  list: 'GET /api/account/mutes',
  mute: 'POST /api/users/:id/mute',
  unmute: 'DELETE /api/users/:id/mute',
})

export const newMemberEndpoints = endpoints<typeof newMemberSchemas>({
  know: 'PUT /api/users/:id/known',
})
