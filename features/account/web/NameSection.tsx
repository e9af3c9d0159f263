import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Me, peopleEndpoints } from '#features/people/contract.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SectionCard } from './SectionCard.tsx'
import { accountPageText } from './text.ts'

export function NameSection({ me }: { me: Me }) {
  const t = useText(accountPageText)
  const formatError = useErrorText()
  const setMe = useSetMe()
  const [draft, setDraft] = useState<{ name?: string; handle?: string }>({})
  const { mutate, error, isPending } = useMutation({
    mutationFn: (given: { name: string; handle: string }) => callEndpoint(peopleEndpoints.saveProfile, given),
    onSuccess: ({ user }) => {
      setDraft({})
      setMe(user)
      showToast(t.saved, { key: 'account saved' })
    },
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      focusFirst('[aria-invalid="true"]')
    },
  })
  const name = draft.name ?? me.name
  const handle = draft.handle ?? me.handle ?? ''
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate({ name, handle })
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  const isOtherError = error && !hasStatus(error, 401) && !wrong.name && !wrong.handle
  return (
    <SectionCard
      id="name"
      title={t.profileTitle}
      help={
        <>
          {t.profileHelp}{' '}
          <Link className="link" href="/edit">
            {t.editProfile}
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={submit}>
        <Field
          label={t.name}
          name="name"
          dir="auto"
          autoComplete="name"
          error={wrong.name?.[0]}
          value={name}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        />
        <Field
          label={t.handle}
          hint={t.handleHint}
          name="handle"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          error={wrong.handle?.[0]}
          value={handle}
          onChange={(event) => setDraft({ ...draft, handle: event.target.value })}
        />
        {isOtherError && <Notice kind="error">{formatError(error)}</Notice>}
        <div className="form-actions">
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
    </SectionCard>
  )
}
