import './accounts.css'
import './admin.css'
import './settings.css'
import type { ReactNode } from 'react'
import { RequireAdmin } from '#features/people/web/RequireAdmin.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'

/** A page for admins that uses the whole width. */
export const AdminOnlyPageLayout = ({ title, children }: { title: string; children: ReactNode }) => (
  <PageLayout kind="wide inset">
    <PageHeader title={title} />
    <RequireAdmin>{children}</RequireAdmin>
  </PageLayout>
)
