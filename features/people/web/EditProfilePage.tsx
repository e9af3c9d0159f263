import './people.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { codePointLength } from '#core/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { announceOwnChange, useMe } from '#web/me.ts'
import { NotLoaded, PleaseLogIn } from '#web/NotLoaded.tsx'
import { initialAnswer } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field, TextArea } from '#web/ui/Field.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { useObjectUrl } from '#web/ui/PicturePicker.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { BIO_LENGTH, type Me, people } from '../contract.ts'
import { accountText, fixed } from './account-text.ts'
import { type ImageUpload, ProfileImage, useImageUpload } from './ProfileImage.tsx'
import { VerifyNotice } from './VerifyNotice.tsx'

/** Updates the reader's record in the query cache, and drops answers with the old name or picture. */
function useProfileChanged() {
  const client = useQueryClient()
  const isMine = (key: readonly unknown[]) => key[0] === people.me.path || key[0] === people.profile.path
  return (patch: Partial<Me>) => {
    announceOwnChange('profile')
    client.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => !isMine(queryKey) })
    client.setQueriesData<Me | null>(
      { predicate: ({ queryKey }) => isMine(queryKey) },
      (me) => me && { ...me, ...patch },
    )
  }
}

export default function EditProfilePage() {
  const t = useText(accountText)
  const me = useMe()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [people.profile.path],
    queryFn: () => api(people.profile, {}),
    initialData: () => initialAnswer(people.profile)?.body as Me | undefined,
    enabled: me !== null,
  })
  const changed = useProfileChanged()
  const image = useImageUpload(changed)
  const preview = useObjectUrl(image.chosen)
  const person = data ?? me
  // A member whose session ends while they are writing keeps the form.
  if (!data && (!me || isHttpError(error, 401)))
    return (
      <PageLayout kind="inset">
        <PageHeader title={t.editProfile} />
        <PleaseLogIn />
      </PageLayout>
    )
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.editProfile}>
        {person && <Avatar person={{ ...person, ...(preview && { profile_image: preview }) }} size="xl" />}
      </PageHeader>
      <VerifyNotice />
      {data && (
        <div className="boards form-boards">
          <ProfileImage image={image} />
          <About profile={data} image={image} onSaved={changed} />
        </div>
      )}
      {!data && !error && <Loading />}
      {!data && error && <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />}
    </PageLayout>
  )
}

interface Draft {
  name?: string
  bio?: string
}

/** Keeps only typed fields, so that a newer profile changes the others. It survives a log-in and a reload. */
function useDraft(id: number) {
  const place = `profile draft ${id}`
  const [draft, setDraft] = useState<Draft>(() => JSON.parse(sessionStorage.getItem(place) ?? '{}'))
  useEffect(() => sessionStorage.setItem(place, JSON.stringify(draft)), [place, draft])
  return [draft, setDraft] as const
}

interface AboutProps {
  profile: Me
  image: ImageUpload
  onSaved: (me: Me) => void
}

/** Name and bio. Save sends a chosen picture too: each part says by itself whether it failed. */
function About({ profile, image, onSaved }: AboutProps) {
  const t = useText(accountText)
  const explain = useExplain()
  const [draft, setDraft] = useDraft(profile.id)
  const name = draft.name ?? profile.name
  const bio = draft.bio ?? profile.bio ?? ''
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (given: { name: string; bio: string }) => {
      const isImageSaved = await image.upload()
      return { ...(await api(people.saveProfile, given)), isImageSaved }
    },
    onSuccess: ({ user, isImageSaved }, sent) => {
      // Keeps what was typed while the request was running.
      setDraft((now) =>
        Object.fromEntries(
          Object.entries(now).filter(([field, text]) => sent[field as keyof Draft] !== text),
        ),
      )
      onSaved(user)
      const text = isImageSaved ? <QuotedText {...fixed.profileSaved} /> : t.aboutSaved
      toast(text, { key: 'profile saved', alert: true })
    },
    onError: (error) => {
      if (isHttpError(error, 401)) pleaseLogIn()
      focusLater('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending && !image.isPending) mutate({ name, bio })
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  const length = codePointLength(bio.trim())
  return (
    <form className="board" noValidate onSubmit={submit}>
      <Field
        label={t.name}
        error={wrong.name?.[0]}
        name="name"
        dir="auto"
        autoComplete="name"
        value={name}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
      />
      <TextArea
        label={t.bio}
        hint={
          <span className="counted">
            {t.bioHint(BIO_LENGTH)}{' '}
            <span data-over={length > BIO_LENGTH || undefined}>{`${length} / ${BIO_LENGTH}`}</span>
          </span>
        }
        error={wrong.bio?.[0]}
        name="bio"
        dir="auto"
        value={bio}
        onChange={(event) => setDraft({ ...draft, bio: event.target.value })}
      />
      {error && !isHttpError(error, 401) && !wrong.name && !wrong.bio && (
        <Notice kind="bad">
          {t.aboutNotSaved} {explain(error)}
        </Notice>
      )}
      <div className="form-end">
        <Button kind="primary" type="submit" pending={isPending}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
