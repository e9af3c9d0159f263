export type { QuietHours, SettingValues } from './settings-schemas.ts'

export const MAX_JOIN_QUESTION = 300

export function isKnownTimeZone(timeZone: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/**
 * The numbers of days among which admins choose for how long new members have tighter limits; 0 for no such
 * limits.
 */
export const newMemberDays = [0, 1, 3, 7, 14, 30] as const

/** The numbers of days among which admins choose after how long old messages or pictures are removed. */
export const retentionDays = [30, 90, 180, 365, 730] as const

/**
 * The maximum number of old messages, and of old pictures, that the preview of a retention setting counts.
 * If there are more, the preview contains this number plus one.
 */
export const MAX_PREVIEW_COUNT = 100_000

/**
 * The limits that admins choose: characters of a post (and of a reply, which has at most 1,000); pictures of a post, reply or message; MB
 * (2^20 bytes) of one picture; MB (10^6 bytes) of all pictures and files of a member (0: no limit); and
 * members of a group (0: no limit).
 */
export const limitChoices = {
  max_post_length: [140, 280, 500, 1000, 2000, 5000, 10_000],
  max_pictures: [0, 1, 2, 3, 4],
  max_picture_mb: [1, 2, 5, 10],
  max_member_storage_mb: [0, 50, 100, 200, 500, 1000, 2000, 5000],
  max_group_members: [0, 10, 20, 50, 100, 200, 500],
} as const

export const DEFAULT_POST_LENGTH = 5000

export const MIN_EMOJI = 5
export const MAX_EMOJI = 8
