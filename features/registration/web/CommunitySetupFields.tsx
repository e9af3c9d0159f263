import { CircleAlert, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { signUpLogInAndProfileText } from '#features/people/web/account-text.ts'
import { useLang, useText } from '#web/i18n.ts'
import { initialPageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { useObjectUrl } from '#web/ui/PicturePickerButton.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { footerLinksToSamplePages, samplePageLinksShownStore } from '#web/web-modules.ts'
import type { SetupCommunitySettings } from '../contract.ts'
import { CommunityPicturePicker } from './CommunityPicturePicker.tsx'
import { communityPictureText } from './community-picture-text.ts'
import { LanguageSelectOptions, readDeviceTimeZone, TimeZoneSelectOptions } from './language-options.tsx'
import {
  communityLanguageAndTimeZoneText,
  newMemberLimitsText,
  whoCanJoinText,
  whoCanReadText,
} from './settings-text.ts'
import { setupText } from './setup-text.ts'

/** The number of days for which new members have tighter limits, as the set-up page suggests. */
const SUGGESTED_NEW_MEMBER_DAYS = 3

/** Reads the answers to the questions of CommunitySetupFields from the form that contains them. */
export const readSetupAnswersFromForm = (form: FormData): Partial<SetupCommunitySettings> => ({
  community_name: String(form.get('community_name')),
  who_can_join: form.get('who_can_join') as SetupCommunitySettings['who_can_join'],
  who_can_read: form.get('who_can_read') as SetupCommunitySettings['who_can_read'],
  new_member_days: form.has('new_member_days') ? SUGGESTED_NEW_MEMBER_DAYS : 0,
  default_language: (form.get('default_language') || null) as SetupCommunitySettings['default_language'],
  time_zone: String(form.get('time_zone')),
  ...(footerLinksToSamplePages.length && { show_samples: form.has('show_samples') }),
})

/** Applies the answers of the set-up to the data of the loaded page, so that the page needs no reload. */
export function applySetupAnswersToInitialPageData({
  community_name,
  who_can_read,
  show_samples,
}: Partial<SetupCommunitySettings>) {
  if (community_name) initialPageData.app.name = community_name.trim()
  initialPageData.app.membersOnly = who_can_read === 'members'
  if (show_samples !== undefined) samplePageLinksShownStore.set(show_samples)
}

interface CommunityFieldsProps {
  errors: Readonly<Record<string, readonly string[]>>
  /** The picture of the community that the first admin has chosen; undefined for none. */
  picture: File | undefined
  onPicture: (picture: File | undefined) => void
}

/**
 * Renders the fields with the questions about a new community on the set-up page. The suggested answers suit
 * people who know each other.
 */
export function CommunitySetupFields({ errors, picture, onPicture }: CommunityFieldsProps) {
  const t = useText(setupText)
  const aboutAccount = useText(signUpLogInAndProfileText)
  const join = useText(whoCanJoinText)
  const read = useText(whoCanReadText)
  const limits = useText(newMemberLimitsText)
  const [aboutSamples, aboutLimits] = [useId(), useId()]
  return (
    <>
      <h2>{t.yourCommunity}</h2>
      <Field
        label={t.communityName}
        hint={t.communityNameHint}
        error={errors.community_name?.[0]}
        name="community_name"
        defaultValue={initialPageData.app.name}
        maxLength={60}
        dir="auto"
        autoComplete="organization"
      />
      <LanguageAndTimeFields timeZoneError={errors.time_zone?.[0]} />
      <PictureField picture={picture} onPicture={onPicture} />
      <RadioGroup
        className="field"
        name="who_can_join"
        label={join.whoCanJoin}
        choices={[
          { value: 'invitation', label: join.invitation, help: join.invitationHelp },
          { value: 'approval', label: join.approval, help: join.approvalHelp },
          { value: 'open', label: join.open, help: join.openHelp },
          { value: 'closed', label: join.closed, help: join.closedHelp },
        ]}
        inputProps={(value) => ({ defaultChecked: value === 'invitation' })}
      />
      <RadioGroup
        className="field"
        name="who_can_read"
        label={read.whoCanRead}
        choices={[
          { value: 'members', label: read.members, help: read.membersHelp },
          { value: 'everyone', label: read.everyone, help: read.everyoneHelp },
        ]}
        inputProps={(value) => ({ defaultChecked: value === 'members' })}
      />
      <div className="field">
        <label className="check">
          <input type="checkbox" name="new_member_days" defaultChecked aria-describedby={aboutLimits} />
          {limits.limitFor(SUGGESTED_NEW_MEMBER_DAYS)}
        </label>
        <span className="hint" id={aboutLimits}>
          {limits.help}
        </span>
      </div>
      {footerLinksToSamplePages.length > 0 && (
        <div className="field">
          <label className="check">
            <input type="checkbox" name="show_samples" aria-describedby={aboutSamples} />
            {aboutAccount.showSamples}
          </label>
          <span className="hint" id={aboutSamples}>
            {aboutAccount.aboutSamples} {t.withoutSamples}
          </span>
        </div>
      )}
      <h2>{t.yourAccount}</h2>
      <p className="text-soft">{t.open}</p>
    </>
  )
}

/** Renders the field for a picture of the community. The picture is uploaded after the registration. */
function PictureField({ picture, onPicture }: Pick<CommunityFieldsProps, 'picture' | 'onPicture'>) {
  const t = useText(communityPictureText)
  const url = useObjectUrl(picture)
  return (
    <div className="field">
      <CommunityPicturePicker url={url} onPick={onPicture}>
        {picture && (
          <Button icon={Trash2} onClick={() => onPicture(undefined)}>
            {t.removePicture}
          </Button>
        )}
      </CommunityPicturePicker>
    </div>
  )
}

/**
 * Renders the fields for the language and the time zone of the community. The suggested answers are the
 * language of this page and the time zone of this device.
 */
function LanguageAndTimeFields({ timeZoneError }: { timeZoneError: string | undefined }) {
  const t = useText(communityLanguageAndTimeZoneText)
  const lang = useLang()
  const id = useId()
  const zone = readDeviceTimeZone()
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-language`}>{t.language}</label>
        <select
          className="input"
          id={`${id}-language`}
          name="default_language"
          defaultValue={lang}
          aria-describedby={`${id}-language-help`}
        >
          <LanguageSelectOptions byBrowser={t.byBrowser} />
        </select>
        <span className="hint" id={`${id}-language-help`}>
          {t.languageHelp}
        </span>
      </div>
      <div className="field">
        <label htmlFor={`${id}-zone`}>{t.timeZone}</label>
        <select
          className="input"
          id={`${id}-zone`}
          name="time_zone"
          defaultValue={zone ?? 'UTC'}
          aria-invalid={timeZoneError ? true : undefined}
          aria-describedby={`${id}-zone-help`}
        >
          <TimeZoneSelectOptions chosen={zone} />
        </select>
        {timeZoneError ? (
          <span className="field-error" id={`${id}-zone-help`}>
            <Icon icon={CircleAlert} size="s" />
            <span>{timeZoneError}</span>
          </span>
        ) : (
          <span className="hint" id={`${id}-zone-help`}>
            {t.timeZoneHelp}
          </span>
        )}
      </div>
    </>
  )
}
