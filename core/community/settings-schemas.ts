import * as v from 'valibot'
import { nullableText, shortName } from '#core/schemas.ts'
import { asEmoji, isSingleEmoji } from '#core/text/unicode.ts'
import {
  isKnownTimeZone,
  limitChoices,
  MAX_EMOJI,
  MAX_JOIN_QUESTION,
  MIN_EMOJI,
  newMemberDays,
  retentionDays,
} from './settings-contract.ts'

const timeOfDaySchema = v.pipe(v.string('invalid'), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid'))
export const quietHoursFields = { from: timeOfDaySchema, to: timeOfDaySchema }
export const areHoursNotEmpty = ({ from, to }: { from: string; to: string }) => from !== to

/**
 * The hours of each day in which neither push messages nor digest mails are sent, such as from 22:00 to
 * 07:00. `from` and `to` are local times; their time zone is not part of this object.
 */
export const quietHoursSchema = v.pipe(v.object(quietHoursFields), v.check(areHoursNotEmpty, 'invalid'))
export type QuietHours = v.InferOutput<typeof quietHoursSchema>

export const timeZoneSchema = v.pipe(
  v.string('invalid'),
  v.check((zone) => zone.length <= 60 && isKnownTimeZone(zone), 'invalid'),
)
export const retentionDaysSchema = v.picklist(retentionDays, 'invalid')

/**
 * The schema of one emoji. It adds the variation selector that makes the emoji colourful, if the emoji needs
 * one.
 */
const emojiSchema = v.pipe(
  v.string('string'),
  v.maxLength(40, 'invalid'),
  v.transform((text) => asEmoji(text.trim())),
  v.check(isSingleEmoji, 'invalid'),
)

/** The settings of the community, which admins change. core/community/settings.ts stores them. */
export const settingsSchema = v.object({
  /**
   * The name of the community, which pages, mails, archives, passkeys and authenticator apps show. Until
   * admins save a name, it is APP_NAME.
   */
  community_name: shortName(60),
  /**
   * The colour of buttons and links, as `#rrggbb`; null for the standard green. See core/community/accent-colour.ts.
   */
  accent_colour: v.nullable(
    v.pipe(v.string('invalid'), v.regex(/^#[\da-f]{6}$/i, 'invalid'), v.toLowerCase()),
  ),
  /**
   * Whether the sample pages exist (the shop, the public chat and the current user), with their endpoints and
   * the links to them.
   */
  show_samples: v.boolean('invalid'),
  /**
   * The language of people who have chosen none, and of mails to members whose language is unknown. Null:
   * pages use the language of the browser; such mails are in the language of the member who causes the mail,
   * or in English.
   */
  default_language: v.nullable(v.picklist(['en', 'ja'], 'invalid')),
  /**
   * The time zone of `quiet_hours` and of the times in mails, such as Asia/Tokyo; null for UTC. Archives and
   * the ends of chat mutes use this time zone too if the device of the member names none.
   */
  time_zone: v.nullable(timeZoneSchema),
  /** The quiet hours of the whole community, in its time zone; null for none. */
  quiet_hours: v.nullable(quietHoursSchema),
  /** Whether admins and moderators have their rights only if their log-in has a second step. */
  admins_need_second_step: v.boolean('invalid'),
  /**
   * How people may create an account for themselves. The set-up of the first admin is always possible, and
   * admins can always create accounts for others.
   */
  who_can_join: v.picklist(['open', 'invitation', 'approval', 'closed'], 'invalid'),
  /**
   * The question that admins ask people who want to join; null for the standard question. It is only used if
   * `who_can_join` is `approval`.
   */
  join_question: nullableText(MAX_JOIN_QUESTION),
  who_can_invite: v.picklist(['admins', 'members'], 'invalid'),
  /** The number of days for which new members have tighter limits; 0 for none. */
  new_member_days: v.picklist(newMemberDays, 'invalid'),
  who_can_create_groups: v.picklist(['admins', 'members'], 'invalid'),
  max_post_length: v.picklist(limitChoices.max_post_length, 'invalid'),
  max_pictures: v.picklist(limitChoices.max_pictures, 'invalid'),
  max_picture_mb: v.picklist(limitChoices.max_picture_mb, 'invalid'),
  max_member_storage_mb: v.picklist(limitChoices.max_member_storage_mb, 'invalid'),
  max_group_members: v.picklist(limitChoices.max_group_members, 'invalid'),
  /** The emoji with which members can react, besides the heart of the likes, in the order of the buttons. */
  reaction_emoji: v.pipe(
    v.array(v.unknown(), 'invalid'),
    v.minLength(MIN_EMOJI, 'required'),
    v.maxLength(MAX_EMOJI, `items:${MAX_EMOJI}`),
    v.array(emojiSchema),
    v.check((emoji) => new Set(emoji).size === emoji.length, 'invalid'),
  ),
  /**
   * Whether the server visits the first link of each post, reply and message, and shows a preview of the page
   * below the text.
   */
  link_previews: v.boolean('invalid'),
  who_can_read: v.picklist(['everyone', 'members'], 'invalid'),
  /**
   * The number of days after which messages of private chats and groups are removed with their pictures and
   * files; null to keep them for ever.
   */
  keep_messages_days: v.nullable(retentionDaysSchema),
  /**
   * The number of days after which the pictures of posts, and the pictures and files of messages, are
   * removed; null to keep them for ever. Pictures of replies, groups and profiles stay.
   */
  keep_pictures_days: v.nullable(retentionDaysSchema),
})
export type SettingValues = v.InferOutput<typeof settingsSchema>
