import './accounts.css'
import './admin.css'
import './settings.css'
import type { ReactNode } from 'react'
import { RequireAdmin } from '#features/people/web/RequireAdmin.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'

/**
 * Renders a page for admins that uses the whole width. Shows other people a notice instead of the content.
 */
export const AdminOnlyPageLayout = ({ title, children }: { title: string; children: ReactNode }) => (
  <PageLayout kind="wide inset">
    <PageHeader title={title} />
    <RequireAdmin>{children}</RequireAdmin>
  </PageLayout>
)
