import './people.css'
import { useText } from '#web/i18n.ts'
import { EmptyAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { accountText } from './account-text.ts'
import { RegistrationForm } from './RegistrationForm.tsx'

export default function RegisterPage() {
  const t = useText(accountText)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.signUp}>
        <EmptyAvatars />
      </PageHeader>
      <RegistrationForm />
    </PageLayout>
  )
}
