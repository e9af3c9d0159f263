import './account-pages.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { countCodePoints } from '#core/unicode.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { notifyOwnAccountProfileOrFollowsListeners, useMe } from '#web/me.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { useObjectUrl } from '#web/ui/PicturePickerButton.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { MAX_BIO_LENGTH, type Me, peopleEndpoints } from '../contract.ts'
import { logInAndProfileSpecificationTextPropsByName, signUpLogInAndProfileText } from './account-text.ts'
import {
  ProfileImageForm,
  type UseProfileImageUploadResult,
  useProfileImageUpload,
} from './ProfileImageForm.tsx'
import { VerifyEmailNotice } from './VerifyEmailNotice.tsx'

/**
 * Returns a function that updates the profile of the current member in the query cache. It also drops the
 * inactive queries of other data, because they may contain the old name or picture.
 */
function useUpdateProfileCache() {
  const client = useQueryClient()
  const isMine = (key: readonly unknown[]) =>
    key[0] === peopleEndpoints.me.path || key[0] === peopleEndpoints.profile.path
  return (patch: Partial<Me>) => {
    notifyOwnAccountProfileOrFollowsListeners('profile')
    client.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => !isMine(queryKey) })
    client.setQueriesData<Me | null>(
      { predicate: ({ queryKey }) => isMine(queryKey) },
      (me) => me && { ...me, ...patch },
    )
  }
}

export default function EditProfilePage() {
  const t = useText(signUpLogInAndProfileText)
  const me = useMe()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [peopleEndpoints.profile.path],
    queryFn: () => callEndpoint(peopleEndpoints.profile, {}),
    initialData: () => findInitialEndpointResponse(peopleEndpoints.profile)?.body as Me | undefined,
    enabled: me !== null,
  })
  const updateCache = useUpdateProfileCache()
  const image = useProfileImageUpload(updateCache)
  const preview = useObjectUrl(image.file)
  const person = data ?? me
  // Keeps the form on the screen once the profile is loaded, even if the session ends while the member is
  // writing.
  if (!data && (!me || isErrorWithStatus(error, 401)))
    return (
      <PageLayout kind="inset">
        <PageHeader title={t.editProfile} />
        <LogInPromptBox />
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
          <NameAndBioForm profile={data} image={image} onSaved={updateCache} />
        </div>
      )}
      {!data && !error && <LoadingText />}
      {!data && error && <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />}
    </PageLayout>
  )
}

interface ProfileDraft {
  name?: string
  bio?: string
}

/**
 * Returns the draft of the profile form, and a function that sets the draft. The draft has only the fields
 * that the member has edited; the form shows the saved profile in the other fields. The draft survives a
 * log-in and a reload.
 */
function useProfileDraft(id: number) {
  const storageKey = `profile draft ${id}`
  const [draft, setDraft] = useState<ProfileDraft>(() =>
    JSON.parse(sessionStorage.getItem(storageKey) ?? '{}'),
  )
  useEffect(() => sessionStorage.setItem(storageKey, JSON.stringify(draft)), [storageKey, draft])
  return [draft, setDraft] as const
}

interface NameAndBioFormProps {
  profile: Me
  image: UseProfileImageUploadResult
  onSaved: (me: Me) => void
}

/**
 * Renders the form for name and bio. Its button Save also uploads a picture that the member has chosen in
 * `ProfileImageForm`. Each of the two forms shows its own error.
 */
function NameAndBioForm({ profile, image, onSaved }: NameAndBioFormProps) {
  const t = useText(signUpLogInAndProfileText)
  const explain = useErrorFormatter()
  const [draft, setDraft] = useProfileDraft(profile.id)
  const name = draft.name ?? profile.name
  const bio = draft.bio ?? profile.bio ?? ''
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (given: { name: string; bio: string }) => {
      const isImageSaved = await image.upload()
      return { ...(await callEndpoint(peopleEndpoints.saveProfile, given)), isImageSaved }
    },
    onSuccess: ({ user, isImageSaved }, sent) => {
      // Removes the saved fields from the draft, but keeps text that was typed while the request was running.
      setDraft((now) =>
        Object.fromEntries(
          Object.entries(now).filter(([field, text]) => sent[field as keyof ProfileDraft] !== text),
        ),
      )
      onSaved(user)
      const text = isImageSaved ? (
        <SpecificationTextWithTranslation {...logInAndProfileSpecificationTextPropsByName.profileSaved} />
      ) : (
        t.nameAndBioSaved
      )
      showToast(text, { key: 'profile saved', alert: true })
    },
    onError: (error) => {
      if (isErrorWithStatus(error, 401)) showLogInPromptToast()
      focusFirstMatchOnceRendered('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending && !image.isPending) mutate({ name, bio })
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  const length = countCodePoints(bio.trim())
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
      {error && !isErrorWithStatus(error, 401) && !wrong.name && !wrong.bio && (
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
