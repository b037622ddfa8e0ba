/** The protocol version that the service speaks. Clients compare the version text, so it has the form `12.0`. */
export const serviceVersion = '12.0';
export const serviceFeatureLevel = 512;

/** The three version values, under the names of the reference and the names that existing clients read. */
export const versionFields = {
  service_version: serviceVersion,
  service_feature_level: serviceFeatureLevel,
  service_merge_base: serviceVersion,
  zulip_version: serviceVersion,
  zulip_feature_level: serviceFeatureLevel,
  zulip_merge_base: serviceVersion,
};
