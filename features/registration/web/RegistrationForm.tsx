import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { peopleEndpoints } from '#features/people/contract.ts'
import { signUpLogInAndProfileText } from '#features/people/web/account-text.ts'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ApiError, callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useSetMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { hasPageAtPath } from '#web/views.tsx'
import { footerLinksToSamplePages } from '#web/web-modules.ts'
import { registrationEndpoints } from '../contract.ts'
import { uploadCommunityPicture } from './CommunityPicturePicker.tsx'
import {
  applySetupAnswersToInitialPageData,
  CommunitySetupFields,
  readSetupAnswersFromForm,
} from './CommunitySetupFields.tsx'
import { communityPictureText } from './community-picture-text.ts'
import { LogInLinkForMembers } from './LogInLinkForMembers.tsx'
import { setupText } from './setup-text.ts'

interface Codes {
  setupCode?: string | null
  /** The code of the invitation with which the person registers; null or left out for none. */
  invitation?: string | null
}
interface RegistrationOptions extends Codes {
  /** The picture of the community that the first admin has chosen; undefined for none. */
  picture?: File | undefined
}

/**
 * Uploads the picture of the community, and stores its URL in the data of this page. Resolves with false if
 * that fails.
 */
const uploadAndShowPicture = (picture: File) =>
  uploadCommunityPicture(picture).then(
    (saved) => {
      if (saved.picture) initialPageData.app.picture = saved.picture
      return true
    },
    () => false,
  )

async function register(
  form: FormData,
  { setupCode: setup_code = null, invitation, picture }: RegistrationOptions,
) {
  const answers = setup_code ? readSetupAnswersFromForm(form) : null
  const [name, email, password] = ['name', 'email', 'password'].map((field) => String(form.get(field))) as [
    string,
    string,
    string,
  ]
  await requestCsrfTokenCookie()
  const { message, user } = await callEndpoint(registrationEndpoints.register, {
    name,
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
  if (answers) applySetupAnswersToInitialPageData(answers)
  const me = await callEndpoint(peopleEndpoints.me, {}).catch(() => ({ ...unknown, ...user }))
  return { message, me, isPictureSaved: !picture || (await uploadAndShowPicture(picture)) }
}

interface RegistrationProps extends Codes {
  onRegistered: () => void
}

/**
 * Renders the form that creates an account. With a set-up code, the account becomes that of the first admin.
 */
export function RegistrationForm({ setupCode = null, invitation = null, onRegistered }: RegistrationProps) {
  const t = useText(signUpLogInAndProfileText)
  const setUp = useText(setupText)
  const explain = useErrorFormatter()
  const changed = useSetMe()
  const [picture, setPicture] = useState<File>()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (form: FormData) => register(form, { setupCode, invitation, picture }),
    onSuccess: ({ me }) => {
      changed(me)
      onRegistered()
      focusFirstMatchOnceRendered(setupCode === null ? '.form-card a' : 'h1')
    },
    onError: () => focusFirstMatchOnceRendered('[aria-invalid="true"]'),
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
        {setupCode !== null && (
          <CommunitySetupFields errors={wrong} picture={picture} onPicture={setPicture} />
        )}
        <Field
          label={t.userName}
          hint={t.userNameHint}
          error={wrong.name?.[0]}
          name="name"
          autoComplete="name"
          dir="auto"
          // Focuses the field only on devices with a mouse: on touch devices the keyboard would cover the
          // form.
          autoFocus={setupCode === null && matchMedia('(pointer: fine)').matches}
        />
        <Field label={t.email} error={wrong.email?.[0]} name="email" type="email" autoComplete="email" />
        <NewPasswordField label={t.password} error={wrong.password?.[0]} />
        <Button kind="primary" fullWidth type="submit" pending={isPending}>
          {setupCode === null ? t.register : setUp.create}
        </Button>
      </form>
      {setupCode === null && <LogInLinkForMembers />}
    </>
  )
}

interface AfterRegistrationProps {
  message: string
  isAdmin: boolean
  isSetUp: boolean
  /** False if the chosen picture of the community could not be saved. */
  isPictureSaved: boolean
}

/**
 * Renders the message that replaces the form after the registration, with links to the next steps. After the
 * set-up, the section that another feature adds to the set-up page has these links.
 */
function AfterRegistration({ message, isAdmin, isSetUp, isPictureSaved }: AfterRegistrationProps) {
  const t = useText(signUpLogInAndProfileText)
  const aboutPicture = useText(communityPictureText)
  const hasNextSteps = isSetUp && isAdmin && hasPageAtPath('/admin/new-members')
  return (
    <div className="card alone form-card">
      <Notice kind="success">{message}</Notice>
      {!isPictureSaved && <Notice kind="error">{aboutPicture.pictureNotSaved}</Notice>}
      {isAdmin && <p>{t.youAreAdmin}</p>}
      {isAdmin && !isSetUp && <AdminLinks />}
      {!hasNextSteps && (
        <ButtonLink kind="primary" fullWidth href="/">
          {t.toPosts}
        </ButtonLink>
      )}
    </div>
  )
}

/** Renders the links for the first admin of a local server, who registers without the set-up page. */
function AdminLinks() {
  const t = useText(signUpLogInAndProfileText)
  return (
    <>
      <ButtonLink fullWidth href="/admin/dashboard">
        {t.toAdmin}
      </ButtonLink>
      {footerLinksToSamplePages.length > 0 && hasPageAtPath('/admin/settings') && (
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
