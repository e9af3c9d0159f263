import '#web/ui/form-pages.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { countCodePoints } from '#core/text/unicode.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { notifyMeChange, useMe } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { useObjectUrl } from '#web/ui/PicturePicker.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { MAX_BIO_LENGTH, type Me, peopleEndpoints } from '../contract.ts'
import { accountText, specTexts } from './account-text.ts'
import { type ImageUpload, ProfileImageForm, useImageUpload } from './ProfileImageForm.tsx'
import { ReadingField } from './Reading.tsx'
import { VerifyEmailNotice } from './VerifyEmailNotice.tsx'

/** Also drops inactive queries of other data, which may contain the old name or picture. */
function useUpdateProfileCache() {
  const client = useQueryClient()
  const isMine = (key: readonly unknown[]) =>
    key[0] === peopleEndpoints.me.path || key[0] === peopleEndpoints.profile.path
  return (change: (me: Me) => Me) => {
    notifyMeChange('profile')
    client.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => !isMine(queryKey) })
    client.setQueriesData<Me | null>(
      { predicate: ({ queryKey }) => isMine(queryKey) },
      (me) => me && change(me),
    )
  }
}

export default function EditProfilePage() {
  const t = useText(accountText)
  const me = useMe()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [peopleEndpoints.profile.path],
    queryFn: () => callEndpoint(peopleEndpoints.profile, {}),
    initialData: () => findAnswer(peopleEndpoints.profile)?.body as Me | undefined,
    enabled: me !== null,
  })
  const updateCache = useUpdateProfileCache()
  const image = useImageUpload((saved) => updateCache((me) => ({ ...me, ...saved })))
  const preview = useObjectUrl(image.file)
  const person = data ?? me
  // Keeps the form, even if the session ends while the member is writing.
  if (!data && (!me || hasStatus(error, 401)))
    return (
      <PageLayout kind="inset">
        <PageHeader title={t.editProfile} />
        <LogInPrompt />
      </PageLayout>
    )
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.editProfile}>
        {person && <Avatar person={{ ...person, ...(preview && { profile_image: preview }) }} size="xl" />}
      </PageHeader>
      <VerifyEmailNotice />
      {data && (
        <div className="cards form-cards">
          <ProfileImageForm image={image} />
          <NameAndBioForm profile={data} image={image} onSaved={(saved) => updateCache(() => saved)} />
        </div>
      )}
      {!data && !error && <LoadingText />}
      {!data && error && <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />}
    </PageLayout>
  )
}

interface ProfileDraft {
  name?: string
  reading?: string
  bio?: string
}

/** Has only the edited fields; the form shows the saved profile in the others. Survives a reload. */
function useProfileDraft(id: number) {
  const storageKey = `profile draft ${id}`
  const [draft, setDraft] = useState<ProfileDraft>(() =>
    JSON.parse(sessionStorage.getItem(storageKey) ?? '{}'),
  )
  useEffect(() => sessionStorage.setItem(storageKey, JSON.stringify(draft)), [storageKey, draft])
  return [draft, setDraft] as const
}

interface Props {
  profile: Me
  image: ImageUpload
  onSaved: (me: Me) => void
}

/** Save also uploads a picture chosen in `ProfileImageForm`. Each of the two forms shows its own error. */
function NameAndBioForm({ profile, image, onSaved }: Props) {
  const t = useText(accountText)
  const lang = useLang()
  const explain = useErrorText()
  const [draft, setDraft] = useProfileDraft(profile.id)
  const name = draft.name ?? profile.name
  const reading = draft.reading ?? profile.reading ?? ''
  const bio = draft.bio ?? profile.bio ?? ''
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (given: Required<ProfileDraft>) => {
      const isImageSaved = await image.upload()
      return { ...(await callEndpoint(peopleEndpoints.saveProfile, given)), isImageSaved }
    },
    onSuccess: ({ user, isImageSaved }, sent) => {
      // Keeps text that was typed while the request was running.
      setDraft((now) =>
        Object.fromEntries(
          Object.entries(now).filter(([field, text]) => sent[field as keyof ProfileDraft] !== text),
        ),
      )
      onSaved(user)
      const text = isImageSaved ? <QuotedText {...specTexts.profileSaved} /> : t.nameAndBioSaved
      showToast(text, { key: 'profile saved', alert: true })
    },
    onError: (error) => {
      if (hasStatus(error, 401)) showLogInToast()
      focusFirst('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending && !image.isPending) mutate({ name, reading, bio })
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  const length = countCodePoints(bio.trim())
  const readingField = (
    <ReadingField
      error={wrong.reading?.[0]}
      value={reading}
      onChange={(event) => setDraft({ ...draft, reading: event.target.value })}
    />
  )
  return (
    <form className="card" noValidate onSubmit={submit}>
      <Field
        label={t.name}
        error={wrong.name?.[0]}
        name="name"
        dir="auto"
        autoComplete="name"
        value={name}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
      />
      {lang === 'ja' && readingField}
      <TextAreaField
        label={t.bio}
        hint={
          <span className="hint-with-count">
            {t.bioHint(MAX_BIO_LENGTH)}{' '}
            <span data-over={length > MAX_BIO_LENGTH || undefined}>{`${length} / ${MAX_BIO_LENGTH}`}</span>
          </span>
        }
        error={wrong.bio?.[0]}
        name="bio"
        dir="auto"
        value={bio}
        onChange={(event) => setDraft({ ...draft, bio: event.target.value })}
      />
      {lang !== 'ja' && readingField}
      {error && !hasStatus(error, 401) && !wrong.name && !wrong.reading && !wrong.bio && (
        <Notice kind="error">
          {t.nameAndBioNotSaved} {explain(error)}
        </Notice>
      )}
      <div className="form-actions">
        <Button kind="primary" type="submit" pending={isPending}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
