import type { Linkifiers } from '#shared/domain/linkifiers/linkifier.ts';
import { type Linker, noLinker } from '#shared/domain/linkifiers/links.ts';
import { loadEngine } from '#shared/domain/linkifiers/load-engine.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** The linkifiers of the organization. One strongly consistent read. */
export async function getLinkifiers(table: Table): Promise<Linkifiers> {
  const item = (await table.find(organizationKeys.linkifiers())) as Partial<Linkifiers> | undefined;
  return { linkifiers: item?.linkifiers ?? [], lastId: item?.lastId ?? 0, revision: item?.revision ?? 0 };
}

/** The last compiled linkifiers; a function serves one table. */
const compiled = new WeakMap<Table, { revision: number; linker: Linker }>();

/**
 * The compiled linkifiers: half a read unit, plus their content after a change. Messages sent in the moment
 * of a change may use either version.
 */
export async function loadLinker(table: Table): Promise<Linker> {
  const item = await table.find(organizationKeys.linkifiersRevision(), { eventually: true });
  if (!item) return noLinker;
  const known = compiled.get(table);
  if (known && known.revision === item.revision) return known.linker;
  const { linkifiers, revision } = await getLinkifiers(table);
  const linker = linkifiers.length > 0 ? (await loadEngine()).compileLinkifiers(linkifiers) : noLinker;
  compiled.set(table, { revision, linker });
  return linker;
}
