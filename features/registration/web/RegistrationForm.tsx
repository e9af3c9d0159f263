import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { peopleEndpoints } from '#features/people/contract.ts'
import { accountText } from '#features/people/web/account-text.ts'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ReadingField } from '#features/people/web/Reading.tsx'
import { ApiError, callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { getReturnPath } from '#web/return-path.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { hasPage } from '#web/views.tsx'
import { sampleLinks } from '#web/web-modules.ts'
import { registrationEndpoints } from '../contract.ts'
import { uploadPicture } from './CommunityPicturePicker.tsx'
import { LogInLink } from './LogInLink.tsx'
import { applyAnswers, readAnswers, SetupFields } from './SetupFields.tsx'
import { setupText } from './setup-text.ts'
import { pictureText } from './text.ts'

interface Codes {
  setupCode?: string | null
  invitation?: string | null
}
interface RegistrationOptions extends Codes {
  picture?: File | undefined
}

/** False if that fails. */
const uploadAndShowPicture = (picture: File) =>
  uploadPicture(picture).then(
    (saved) => {
      if (saved.picture) pageData.app.picture = saved.picture
      return true
    },
    () => false,
  )

async function register(
  form: FormData,
  { setupCode: setup_code = null, invitation, picture }: RegistrationOptions,
) {
  const answers = setup_code ? readAnswers(form) : null
  const [name, email, password] = ['name', 'email', 'password'].map((field) => String(form.get(field))) as [
    string,
    string,
    string,
  ]
  const reading = form.get('reading') as string | null
  await requestCsrf()
  const { message, user } = await callEndpoint(registrationEndpoints.register, {
    name,
    ...(reading && { reading }),
    email,
    password,
    password_confirmation: password,
    ...(invitation && { invitation }),
    ...(answers && { setup_code, ...answers }),
  })
  const unknown = {
    is_admin: false,
    handle: null,
    shares_name: false,
    profile_image: null,
    bio: null,
    email_verified_at: null,
  }
  if (answers) applyAnswers(answers)
  const me = await callEndpoint(peopleEndpoints.me, {}).catch(() => ({ ...unknown, ...user }))
  return { message, me, isPictureSaved: !picture || (await uploadAndShowPicture(picture)) }
}

interface RegistrationProps extends Codes {
  onRegistered: () => void
}

/** With a set-up code, the account becomes that of the first admin. */
export function RegistrationForm({ setupCode = null, invitation = null, onRegistered }: RegistrationProps) {
  const t = useText(accountText)
  const setUp = useText(setupText)
  const lang = useLang()
  const explain = useErrorText()
  const changed = useSetMe()
  const [picture, setPicture] = useState<File>()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (form: FormData) => register(form, { setupCode, invitation, picture }),
    onSuccess: ({ me }) => {
      changed(me)
      onRegistered()
      focusFirst(setupCode === null ? '.form-card a' : 'h1')
    },
    onError: () => focusFirst('[aria-invalid="true"]'),
  })
  const wrong = error instanceof ApiError ? error.errors : {}
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  if (data)
    return (
      <AfterRegistration
        message={data.message}
        isAdmin={data.me.is_admin}
        isSetUp={setupCode !== null}
        isPictureSaved={data.isPictureSaved}
      />
    )
  const general =
    wrong.setup_code?.[0] ?? wrong.invitation?.[0] ?? (error && !Object.keys(wrong).length && explain(error))
  return (
    <>
      <form className="card alone form-card" noValidate onSubmit={submit}>
        {general && <Notice kind="error">{general}</Notice>}
        {setupCode !== null && <SetupFields errors={wrong} picture={picture} onPicture={setPicture} />}
        <Field
          label={t.userName}
          hint={t.userNameHint}
          error={wrong.name?.[0]}
          name="name"
          autoComplete="name"
          dir="auto"
          // Only with a mouse: on touch devices the keyboard would cover the form.
          autoFocus={setupCode === null && matchMedia('(pointer: fine)').matches}
        />
        {lang === 'ja' && <ReadingField error={wrong.reading?.[0]} />}
        <Field label={t.email} error={wrong.email?.[0]} name="email" type="email" autoComplete="email" />
        <NewPasswordField label={t.password} error={wrong.password?.[0]} />
        <Button kind="primary" fullWidth type="submit" pending={isPending}>
          {setupCode === null ? t.register : setUp.create}
        </Button>
      </form>
      {setupCode === null && <LogInLink />}
    </>
  )
}

interface AfterRegistrationProps {
  message: string
  isAdmin: boolean
  isSetUp: boolean
  isPictureSaved: boolean
}

/** After the set-up, another feature's section has the links to the next steps. */
function AfterRegistration({ message, isAdmin, isSetUp, isPictureSaved }: AfterRegistrationProps) {
  const t = useText(accountText)
  const aboutPicture = useText(pictureText)
  const hasNextSteps = isSetUp && isAdmin && hasPage('/admin/new-members')
  return (
    <div className="card alone form-card">
      <Notice kind="success">{message}</Notice>
      {!isPictureSaved && <Notice kind="error">{aboutPicture.pictureNotSaved}</Notice>}
      {isAdmin && <p>{t.youAreAdmin}</p>}
      {isAdmin && !isSetUp && <AdminLinks />}
      {!hasNextSteps && (
        <ButtonLink kind="primary" fullWidth href={getReturnPath() ?? '/'}>
          {getReturnPath() ? t.goOn : t.toPosts}
        </ButtonLink>
      )}
    </div>
  )
}

/** On a local server, the first admin registers without the set-up page. */
function AdminLinks() {
  const t = useText(accountText)
  return (
    <>
      <ButtonLink fullWidth href="/admin/dashboard">
        {t.toAdmin}
      </ButtonLink>
      {sampleLinks.length > 0 && hasPage('/admin/settings') && (
        <p>
          {t.aboutSamples}{' '}
          <Link className="link" href="/admin/settings">
            {t.toSettings}
          </Link>
        </p>
      )}
    </>
  )
}
