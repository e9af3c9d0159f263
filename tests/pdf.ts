/**
 * Returns the bytes of a PDF with one page of A4, which shows these lines. `isLocked`: it asks for a password.
 */
export function onePage(lines: readonly string[], { isLocked = false } = {}) {
  const text = lines.map((line, index) => `1 0 0 1 60 ${740 - 60 * index} Tm (${line}) Tj`).join('\n')
  const content = `0.1 0.4 0.3 rg 0 800 595 42 re f\n0 g BT /F1 36 Tf\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
    // RC4 with 40 bits. The keys fit no password.
    `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >>`,
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  const lock = isLocked ? ' /Encrypt 6 0 R /ID [<00> <00>]' : ''
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${lock} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
