import { CircleAlert, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { accountText } from '#features/people/web/account-text.ts'
import { useLang, useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { useObjectUrl } from '#web/ui/PicturePicker.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { sampleLinks, samplesShown } from '#web/web-modules.ts'
import type { SetupAnswers } from '../contract.ts'
import { CommunityPicturePicker } from './CommunityPicturePicker.tsx'
import { deviceTimeZone, LanguageOptions, TimeZoneOptions } from './language-options.tsx'
import { languageText, newMemberText, whoCanJoinText, whoCanReadText } from './settings-text.ts'
import { setupText } from './setup-text.ts'
import { pictureText } from './text.ts'

const SUGGESTED_DAYS = 3

export const readAnswers = (form: FormData): Partial<SetupAnswers> => ({
  community_name: String(form.get('community_name')),
  who_can_join: form.get('who_can_join') as SetupAnswers['who_can_join'],
  who_can_read: form.get('who_can_read') as SetupAnswers['who_can_read'],
  new_member_days: form.has('new_member_days') ? SUGGESTED_DAYS : 0,
  default_language: (form.get('default_language') || null) as SetupAnswers['default_language'],
  time_zone: String(form.get('time_zone')),
  ...(sampleLinks.length && { show_samples: form.has('show_samples') }),
})

/** The page needs no reload. */
export function applyAnswers(answers: Partial<SetupAnswers>) {
  const { community_name, default_language, who_can_read, show_samples } = answers
  if (community_name) pageData.app.name = community_name.trim()
  pageData.app.lang = default_language ?? undefined
  pageData.app.membersOnly = who_can_read === 'members'
  if (show_samples !== undefined) samplesShown.set(show_samples)
}

interface Props {
  errors: Readonly<Record<string, readonly string[]>>
  picture: File | undefined
  onPicture: (picture: File | undefined) => void
}

/** The suggested answers suit people who know each other. */
export function SetupFields({ errors, picture, onPicture }: Props) {
  const t = useText(setupText)
  const aboutAccount = useText(accountText)
  const join = useText(whoCanJoinText)
  const read = useText(whoCanReadText)
  const limits = useText(newMemberText)
  const [aboutSamples, aboutLimits] = [useId(), useId()]
  return (
    <>
      <h2>{t.yourCommunity}</h2>
      <Field
        label={t.communityName}
        hint={t.communityNameHint}
        error={errors.community_name?.[0]}
        name="community_name"
        defaultValue={pageData.app.name}
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
          {limits.limitFor(SUGGESTED_DAYS)}
        </label>
        <span className="hint" id={aboutLimits}>
          {limits.help}
        </span>
      </div>
      {sampleLinks.length > 0 && (
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

/** Uploaded after the registration. */
function PictureField({ picture, onPicture }: Pick<Props, 'picture' | 'onPicture'>) {
  const t = useText(pictureText)
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

/** Suggests the language of this page and the time zone of this device. */
function LanguageAndTimeFields({ timeZoneError }: { timeZoneError: string | undefined }) {
  const t = useText(languageText)
  const lang = useLang()
  const id = useId()
  const zone = deviceTimeZone()
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
          <LanguageOptions byBrowser={t.byBrowser} />
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
          <TimeZoneOptions chosen={zone} />
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
